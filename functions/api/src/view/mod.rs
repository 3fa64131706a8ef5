//! What travels over the wire: the requests' and the answers' JSON.

mod account;
mod application;
mod auth;
mod bound;
mod browser_error;
mod communication;
mod content;
mod customer_preview;
pub mod desk;
mod job;
mod photo_reading;
mod reading_without_job;
mod share;
mod staff;
mod submission;
mod upload;

pub use account::AccountInfo;
pub use application::{Manifest, ManifestIcon, PublicApplication, PublicCommunicationSettings};
pub use auth::{LogoutRequest, Session, Sessions, TokenRequest, TokenResponse};
pub use browser_error::BrowserError;
pub use communication::{
    CommunicationRequest, CommunicationState, CommunicationType, CrmRegistrationInfo, ReceiptAnswer, SentMail, ShareMailLogin,
    ShareMailRequest,
};
pub use content::{ContactInformation, HelpLanguages, MeterReadingHelp};
pub use customer_preview::{CustomerPreview, CustomerPreviewRequest};
pub use job::{Job, JobPage, Meter, MeterRateTask, VIEW_VERSION};
pub use photo_reading::{PhotoReading, PhotoReadingRequest, ProposedValue};
pub use reading_without_job::{OwnReading, ReadingTaken, VisitorReading, VisitorReadingValue, VisitorToken};
pub use share::{CreatedShare, Share, ShareLogin, ShareRequest, SharedAccounts};
pub use staff::{DeskInvitation, DeskLogout, DeskMe, DeskMembership, DeskSession, DeskSessions};
pub use submission::{ResultSubmission, SubmittedImage, SubmittedReading};
pub use upload::{UploadMediaType, UploadMethod, UploadRequest, UploadTicket};
