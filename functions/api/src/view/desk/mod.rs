//! The bodies of the desk's requests and answers.

mod audit;
mod came_in;
mod customer;
mod customer_login;
mod decision;
mod entry;
mod erasure;
mod export;
mod import;
mod job;
mod letters;
mod mail;
mod member;
mod open;
mod platform;
mod reading;
mod reminder;
mod run;
mod search;
mod season;
mod settings;
mod several;
mod waiting;
mod webhook;
mod without_job;

pub use audit::{DeskAudit, DeskAuditEntry};
pub use came_in::{DeskListedReading, DeskReadings};
pub use customer::{
    DeskCommunicationRequest, DeskCustomer, DeskCustomerSession, DeskLetter, DeskLetterKind, DeskLink, DeskLoginTries, DeskMail,
    DeskMailState, DeskShare, DeskSuppressed,
};
pub use customer_login::DeskLoginRequest;
pub use decision::{DeskDecided, DeskDecision, DeskDecisionAnswer, DeskDecisionKind, DeskDecisions, DeskExchange};
pub use entry::{DeskChannel, DeskCounter, DeskEntered, DeskEntry, DeskImage, DeskOutcome, DeskRemark};
pub use erasure::{DeskDisclosure, DeskErased, DeskErasure, DeskErasureRequest, DeskErasureState, DeskErasures, DeskHold, DeskHoldRequest};
pub use export::{DeskExport, DeskExportCounts, DeskExportKind, DeskExports};
pub use import::{
    DeskColumn, DeskContents, DeskField, DeskFieldGroup, DeskImport, DeskImportFile, DeskImportFileRequest, DeskImportKind,
    DeskImportRequest, DeskImports, DeskMapping, DeskMappingRequest, DeskMissingColumn, DeskRehearsalRequest, DeskSheet, DeskUndoRequest,
};
pub use job::{DeskExpected, DeskJob, DeskJobFile, DeskJobState, DeskPhoto, DeskPlace, DeskRules};
pub use letters::{
    DeskInvitationsRequest, DeskLetters, DeskLettersEnd, DeskLettersHandOverRequest, DeskLettersRequest, DeskLettersTask, DeskReturned,
    DeskReturnedRequest, DeskRunLetters,
};
pub use mail::{DeskListedMail, DeskMailKind, DeskMails};
pub use member::{DeskInvitationLink, DeskInvited, DeskMember, DeskMemberRequest, DeskMembers, DeskRolesRequest};
pub use open::{DeskOpenList, DeskOpenRow};
pub use platform::{
    DeskAccessAsk, DeskAccessGrant, DeskAccessRequest, DeskTenant, DeskTenantAccess, DeskTenantChange, DeskTenantLeadRequest,
    DeskTenantLine, DeskTenantOutcome, DeskTenantReached, DeskTenantRequest, DeskTenants,
};
pub use reading::{DeskAside, DeskMade, DeskMadeKind, DeskReading, DeskReadingState, DeskSending, DeskTaken};
pub use reminder::{DeskReminderRequest, DeskReminders};
pub use run::{
    DeskAnew, DeskAnewLine, DeskBefore, DeskClosing, DeskExportRequest, DeskFile, DeskImported, DeskLeftOut, DeskPreset, DeskRun,
    DeskRunFile, DeskRunMails, DeskRunSource, DeskRunState, DeskRunText, DeskRunWhat, DeskStopped, files_until,
};
pub use search::{DeskFound, DeskFoundCustomer, DeskSearch};
pub use season::{DeskSeason, DeskSeasonBefore, DeskSeasonChange, DeskSeasonName, DeskSeasonRequest};
pub use settings::{
    DeskMailPreview, DeskMailSample, DeskOpeningName, DeskOpeningStep, DeskOwnText, DeskOwnTexts, DeskPreview, DeskSettings,
    DeskSettingsContent, DeskSettingsDraft, DeskSettingsDraftRequest, DeskSettingsFault, DeskSettingsFile, DeskSettingsFiles,
    DeskSettingsRequest, DeskSettingsVersion, content_of, version_id,
};
pub use several::{DeskOutcomeOfOne, DeskSeen, DeskSeveral, DeskSeveralAnswer, DeskSeveralKind};
pub use waiting::{DeskNext, DeskNextRequest, DeskThis, DeskWaiting, DeskWaitingItem};
pub use webhook::{
    DeskDeadLetter, DeskMessageKind, DeskRetried, DeskRetryRequest, DeskWebhook, DeskWebhookSecret, DeskWebhookSecrets, DeskWebhookTest,
    MOST_MESSAGES,
};
pub use without_job::{DeskFit, DeskReadingWithoutJob, DeskSuggestion, DeskValueWithoutJob};
