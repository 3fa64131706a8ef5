//! Every key of the table and of the bucket.
//!
//! Each begins with its tenant, and no function here makes one without a [`TenantId`]. The exceptions are
//! [`host`], the item that leads from a request's host name to its tenant, [`directory`], the list of tenants that workers walk,
//! [`OPEN_RUNS`], because one clock goes on with the runs of all tenants, [`reminders_of_second`], because all tenants share the mail service's rate, and [`member_partition`] with [`identity`], because a member of the staff is one
//! person who may have several tenants: what a member may do is in [`membership`], which has its tenant. None holds anything else. In the bucket the kind comes before the tenant, because the
//! rule that deletes what was sent ahead and never used, and the functions' permissions, go by the beginning of a key (D-STORAGE-2).
//!
//! Ids cannot hold `#`, secrets, names and addresses are hashed (of an open job's address the marks are taken out), and words of a search are letters and digits, so no part of a key can be mistaken for its
//! neighbour.

use domain::ids::{AccountId, ImageId, ImportId, JobId, MemberId, RunId, SeasonId, TenantId, UploadId};
use jiff::Timestamp;
use ring::digest;

use crate::Slot;

/// Address of one item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub pk: String,
    pub sk: String,
}

fn key(pk: String, sk: impl Into<String>) -> Key {
    Key { pk, sk: sk.into() }
}

/// SHA-256 in hex.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(digest::digest(&digest::SHA256, bytes))
}

/// Which tenant is reached under a host name.
pub(crate) fn host(host: &str) -> Key {
    key(format!("H#{host}"), "HOST")
}

/// Partition of the list of all tenants.
pub(crate) const DIRECTORY: &str = "TENANTS";

/// The tenant's entry in the list of all tenants.
pub(crate) fn directory(t: &TenantId) -> Key {
    key(DIRECTORY.into(), t.as_str())
}

/// How many reminders all tenants sent in one second, counted since 1970.
pub(crate) fn reminders_of_second(second: i64) -> Key {
    key(format!("REMINDERS#{second}"), "REMINDERS")
}

/// Partition of a member of the staff: the person, the person's sessions, and which tenants there are.
pub(crate) fn member_partition(member: &MemberId) -> String {
    format!("M#{member}")
}

/// The person.
pub(crate) fn member(member: &MemberId) -> Key {
    key(member_partition(member), "MEMBER")
}

/// A session of a member, by the hash of its secret.
pub(crate) fn staff_session(member: &MemberId, secret_hash: &str) -> Key {
    key(member_partition(member), format!("{STAFF_SESSIONS}{secret_hash}"))
}

/// Beginning of the sort keys of a member's sessions.
pub(crate) const STAFF_SESSIONS: &str = "SESSION#";

/// What leads from a member to a tenant.
pub(crate) fn tenant_of_member(member: &MemberId, t: &TenantId) -> Key {
    key(member_partition(member), format!("{TENANTS_OF_MEMBER}{t}"))
}

/// Beginning of the sort keys of what leads from a member to the tenants.
pub(crate) const TENANTS_OF_MEMBER: &str = "TENANT#";

/// What leads from a person, as an identity provider knows them, to the member.
pub(crate) fn identity(provider: &str, subject: &str) -> Key {
    let person = format!("{} {}", sha256_hex(provider.as_bytes()), sha256_hex(subject.as_bytes()));
    key(format!("IDENTITY#{}", sha256_hex(person.as_bytes())), "IDENTITY")
}

/// Partition of a tenant's memberships.
pub(crate) fn memberships(t: &TenantId) -> String {
    format!("T#{t}#MEMBERS")
}

/// What a member may do for the tenant.
pub(crate) fn membership(t: &TenantId, member: &MemberId) -> Key {
    key(memberships(t), member.as_str())
}

/// Partition of the platform's members who ask a tenant for access.
pub(crate) fn access_asks(t: &TenantId) -> String {
    format!("T#{t}#ACCESS")
}

/// The request of one of these members.
pub(crate) fn access_ask(t: &TenantId, member: &MemberId) -> Key {
    key(access_asks(t), member.as_str())
}

/// Partition of a tenant's invitations of members.
pub(crate) fn staff_invitations(t: &TenantId) -> String {
    format!("T#{t}#INVITED")
}

/// One of them, by the hash of its link's token.
pub(crate) fn staff_invitation(t: &TenantId, token_hash: &str) -> Key {
    key(staff_invitations(t), token_hash)
}

/// Partition of the erasures that a tenant was asked for and that are not through yet.
pub(crate) fn erasures(t: &TenantId) -> String {
    format!("T#{t}#ERASE")
}

/// One of them, by the fingerprint of its subject: asking twice is asking once.
pub(crate) fn erasure(t: &TenantId, fingerprint: &str) -> Key {
    key(erasures(t), fingerprint)
}

/// Partition of the persons of whom nothing goes.
pub(crate) fn holds(t: &TenantId) -> String {
    format!("T#{t}#HOLD")
}

/// One of them.
pub(crate) fn hold(t: &TenantId, account: &AccountId) -> Key {
    key(holds(t), account.to_string())
}

/// Partition of the list of a tenant's erasures.
pub(crate) fn erasure_records(t: &TenantId) -> String {
    format!("T#{t}#ERASED")
}

/// One of them, by time.
pub(crate) fn erasure_record(t: &TenantId, erased: Timestamp, fingerprint: &str) -> Key {
    key(erasure_records(t), format!("{}#{fingerprint}", instant(erased)))
}

/// Partition of what touched persons' data, by commands and at the desk.
pub(crate) fn audit(t: &TenantId) -> String {
    format!("T#{t}#AUDIT")
}

/// One of them, by time.
pub(crate) fn audit_record(t: &TenantId, at: Timestamp, random: u32) -> Key {
    key(audit(t), format!("{}#{random:08x}", instant(at)))
}

/// Partition, in the index, of what touched one account's data; of an erased account it leads to no person.
pub(crate) fn audit_of_account(t: &TenantId, fingerprint: &str) -> String {
    format!("T#{t}#AUDIT#{fingerprint}")
}

/// Over how many partitions the list of a tenant's accounts is spread (D-STORAGE-3).
pub(crate) const ACCOUNT_SHARDS: u8 = 4;

/// Partition, in the index, of one shard of the list of a tenant's accounts.
pub(crate) fn account_list(t: &TenantId, shard: u8) -> String {
    format!("T#{t}#ACCOUNTS#{shard}")
}

/// Both keys of an account in that list.
pub(crate) fn account_index(t: &TenantId, account: &AccountId) -> (String, String) {
    (account_list(t, shard(account.as_str(), ACCOUNT_SHARDS)), account.as_str().to_owned())
}

/// How far a worker has come with the tenant.
pub(crate) fn progress(t: &TenantId, worker: &str) -> Key {
    key(format!("T#{t}#WORK"), worker)
}

/// Partition of what belongs to the tenant as a whole.
pub(crate) fn tenant(tenant: &TenantId) -> String {
    format!("T#{tenant}")
}

/// Partition of the versions of the tenant's bundle.
pub(crate) fn tenant_versions(t: &TenantId) -> String {
    format!("T#{t}#VERSIONS")
}

/// One of them.
pub(crate) fn tenant_version(t: &TenantId, at: Timestamp, version: &str) -> Key {
    key(tenant_versions(t), format!("{}#{version}", instant(at)))
}

/// What a file of a version or a draft has, by its hash.
pub(crate) fn tenant_file(t: &TenantId, hash: &str) -> Key {
    key(format!("T#{t}#FILE#{hash}"), "FILE")
}

/// What the holder of a token may see before it is in effect, by the token's hash.
pub(crate) fn tenant_preview(t: &TenantId, token_hash: &str) -> Key {
    key(format!("T#{t}#PREVIEW#{token_hash}"), "PREVIEW")
}

/// What a member of the staff may see of a customer's portal, by the hash of their token.
pub(crate) fn customer_preview(t: &TenantId, token_hash: &str) -> Key {
    key(format!("T#{t}#SEEN#{token_hash}"), "PREVIEW")
}

/// Partition of the drafts of the tenant's files.
pub(crate) fn tenant_drafts(t: &TenantId) -> String {
    format!("T#{t}#DRAFTS")
}

/// One of them.
pub(crate) fn tenant_draft(t: &TenantId, file: &str) -> Key {
    key(tenant_drafts(t), file)
}

/// Beginning of the sort keys of what every request needs: the config and the translations.
pub(crate) const CONFIG: &str = "CONF#";

/// The application config.
pub(crate) fn application(t: &TenantId) -> Key {
    key(tenant(t), format!("{CONFIG}APP"))
}

/// The tenant's texts in one language.
pub(crate) fn translations(t: &TenantId, language: &str) -> Key {
    key(tenant(t), format!("{TRANSLATIONS}{language}"))
}

/// Beginning of the sort keys of the translations.
pub(crate) const TRANSLATIONS: &str = "CONF#TEXT#";

/// The tenant's help in one language.
pub(crate) fn help(t: &TenantId, language: &str) -> Key {
    key(tenant(t), format!("{HELP}{language}"))
}

/// Beginning of the sort keys of the help.
pub(crate) const HELP: &str = "HELP#";

/// How to reach the utility.
pub(crate) fn contact(t: &TenantId) -> Key {
    key(tenant(t), "CONTACT")
}

/// The reading instructions.
pub(crate) fn instructions(t: &TenantId) -> Key {
    key(tenant(t), "INSTRUCTIONS")
}

/// The presets of exports.
pub(crate) fn presets(t: &TenantId) -> Key {
    key(tenant(t), "PRESETS")
}

/// The logo.
pub(crate) fn logo(t: &TenantId) -> Key {
    key(tenant(t), "LOGO")
}

/// Beginning of the sort keys of the icons.
pub(crate) const ICON: &str = "ICON#";

/// The icon of so many pixels a side.
pub(crate) fn icon(t: &TenantId, side: u16) -> Key {
    key(tenant(t), format!("{ICON}{side}"))
}

/// Partition of an account: the account itself, its jobs, its shares, its idempotency records. A sub-account has no jobs here: they
/// stay with the utility's own account at the top.
pub(crate) fn account_partition(t: &TenantId, account: &AccountId) -> String {
    format!("T#{t}#A#{account}")
}

/// The account.
pub(crate) fn account(t: &TenantId, account: &AccountId) -> Key {
    key(account_partition(t, account), "ACCOUNT")
}

/// Beginning of the sort keys of the portfolio and the jobs.
pub(crate) const PORTFOLIO: &str = "JOB";

/// Sort key of the portfolio itself.
pub(crate) const PORTFOLIO_ITEM: &str = "JOB!";

/// The version of all jobs of an account, with a counter for each slot, and when they end its link; sorts before the jobs, so that the first page of a query brings it along (D-STORAGE-1).
pub(crate) fn portfolio(t: &TenantId, account: &AccountId) -> Key {
    key(account_partition(t, account), PORTFOLIO_ITEM)
}

/// A job, beside the others of its slot.
pub(crate) fn job(t: &TenantId, account: &AccountId, job: &JobId) -> Key {
    key(account_partition(t, account), format!("{}{job}", jobs_in(Slot::of(job))))
}

/// Which job has this sort key; none: it is no job's.
pub(crate) fn job_at(sk: &str) -> Option<JobId> {
    sk.strip_prefix(JOB)?.split_once('#')?.1.parse().ok()
}

/// Beginning of the sort keys of the jobs of a slot.
pub(crate) fn jobs_in(slot: Slot) -> String {
    format!("{JOB}{slot}#")
}

/// What is behind all sort keys of the jobs of a slot, and before those of the next.
pub(crate) fn after_jobs_in(slot: Slot) -> String {
    format!("{JOB}{slot}$")
}

/// Beginning of the sort keys of the jobs.
pub(crate) const JOB: &str = "JOB#";

/// Beginning of the sort keys of the shares that an account made.
pub(crate) const SHARES: &str = "SHARE#";

/// How many shares there are below an account of the utility's own.
pub(crate) fn share_count(t: &TenantId, top: &AccountId) -> Key {
    key(account_partition(t, top), "SHARED")
}

/// A share: in the partition of the account that made it, what its list shows, and the set of its jobs. Beside it the sub-account has
/// a partition of its own with its [`account`], which every request reads and which therefore stays small.
pub(crate) fn share(t: &TenantId, parent: &AccountId, share: &AccountId) -> Key {
    key(account_partition(t, parent), format!("{SHARES}{share}"))
}

/// The record of a carried out request.
pub(crate) fn idempotency(t: &TenantId, account: &AccountId, key_hash: &str) -> Key {
    key(account_partition(t, account), format!("IDEM#{}", sha256_hex(key_hash.as_bytes())))
}

/// Sort key of a registration.
pub(crate) const REGISTRATION: &str = "REGISTRATION";

/// An account's registration for digital communication.
pub(crate) fn registration(t: &TenantId, account: &AccountId) -> Key {
    key(account_partition(t, account), REGISTRATION)
}

/// Up to which readings an account has got receipts.
pub(crate) fn receipts(t: &TenantId, account: &AccountId) -> Key {
    key(account_partition(t, account), "RECEIPTS")
}

/// How often an account was reminded of its open jobs.
pub(crate) fn reminders(t: &TenantId, account: &AccountId) -> Key {
    key(account_partition(t, account), "REMINDERS")
}

/// When an account was invited by mail.
pub(crate) fn invitation(t: &TenantId, account: &AccountId) -> Key {
    key(account_partition(t, account), "INVITATION")
}

/// What leads from the token of a registration's page to its account.
pub(crate) fn self_service(t: &TenantId, token_hash: &str) -> Key {
    key(format!("T#{t}#SELF#{token_hash}"), "SELF")
}

/// What leads from the token of a confirmation link to the account.
pub(crate) fn confirmation(t: &TenantId, token_hash: &str) -> Key {
    key(format!("T#{t}#CONFIRM#{token_hash}"), "CONFIRM")
}

/// The record of a mail.
pub(crate) fn mail(t: &TenantId, account: &AccountId, mail: &str) -> Key {
    key(account_partition(t, account), format!("MAIL#{mail}"))
}

/// Partition of a kind of mails in the index.
pub(crate) fn mails_of_kind(t: &TenantId, kind: &str) -> String {
    format!("T#{t}#MAILS#{kind}")
}

/// A mail's place in it, by when it was sent.
pub(crate) fn mail_at(at: Timestamp, account: &AccountId, mail: &str) -> String {
    format!("{}#{account}#{mail}", instant(at))
}

/// How many recipients of mails of a kind an account wrote to, with all accounts below it, in one hour or on one day (`2026-11-21T07`, `2026-11-21`, UTC).
pub(crate) fn recipients_of_account(t: &TenantId, account: &AccountId, kind: &str, period: &str) -> Key {
    key(account_partition(t, account), format!("RECIPIENTS#{kind}#{period}"))
}

/// How many photos an account may have sent ahead in one hour (`2026-11-21T07`, UTC).
pub(crate) fn uploads_of_account(t: &TenantId, account: &AccountId, hour: &str) -> Key {
    key(account_partition(t, account), format!("UPLOADS#{hour}"))
}

/// How many photos a member of the staff announced in one hour (`2026-11-21T07`, UTC).
pub(crate) fn uploads_of_member(t: &TenantId, member: &MemberId, hour: &str) -> Key {
    key(format!("T#{t}#UPLOADS#{member}"), format!("UPLOADS#{hour}"))
}

/// How many readings of meters without a job an account or a visitor's session sent in one hour (`2026-11-21T07`, UTC).
pub(crate) fn readings_without_job_of_account(t: &TenantId, account: &AccountId, hour: &str) -> Key {
    key(account_partition(t, account), format!("READINGS#{hour}"))
}

/// How many readings of jobs that were read that day already an account sent, or all those below it, in one hour (`2026-11-21T07`, UTC).
pub(crate) fn repeats_of_account(t: &TenantId, top: &AccountId, is_below: bool, hour: &str) -> Key {
    key(account_partition(t, top), format!("REPEATS#{}#{hour}", whose(is_below)))
}

fn whose(is_below: bool) -> &'static str {
    if is_below { "BELOW" } else { "OWN" }
}

/// How many readings of meters without a job came from a network in one hour (`2026-11-21T07`, UTC).
pub(crate) fn readings_without_job_of_network(t: &TenantId, prefix: &str, hour: &str) -> Key {
    key(format!("T#{t}#READINGS#{}", sha256_hex(prefix.as_bytes())), format!("READINGS#{hour}"))
}

/// How many photos were read for an account, or for all those below it, in one hour (`2026-11-21T07`, UTC).
pub(crate) fn photo_readings_of_account(t: &TenantId, top: &AccountId, is_below: bool, hour: &str) -> Key {
    key(account_partition(t, top), format!("PHOTOREADINGS#{}#{hour}", whose(is_below)))
}

/// How often login data of shares were made by an account, or by all those below it, in one hour (`2026-11-21T07`, UTC).
pub(crate) fn share_logins_of_account(t: &TenantId, top: &AccountId, is_below: bool, hour: &str) -> Key {
    key(account_partition(t, top), format!("SHARELOGINS#{}#{hour}", whose(is_below)))
}

/// How many recipients a tenant wrote to on one day (`2026-11-21`, UTC).
pub(crate) fn recipients_of_tenant(t: &TenantId, day: &str) -> Key {
    key(format!("T#{t}#RECIPIENTS#{day}"), "RECIPIENTS")
}

/// How many of them got a mail of this kind.
pub(crate) fn recipients_of_kind(t: &TenantId, kind: &str, day: &str) -> Key {
    key(format!("T#{t}#RECIPIENTS#{day}"), kind)
}

/// How many mails of a kind a mailbox got on one day (`2026-11-21`, UTC).
pub(crate) fn mails_to_recipient(t: &TenantId, mailbox_hash: &str, kind: &str, day: &str) -> Key {
    key(format!("T#{t}#TO#{mailbox_hash}"), format!("{kind}#{day}"))
}

/// An address that gets no mail.
pub(crate) fn suppressed(t: &TenantId, recipient_hash: &str) -> Key {
    key(format!("T#{t}#SUPPRESSED#{recipient_hash}"), "SUPPRESSED")
}

/// Over how many partitions the list of a tenant's jobs is spread.
pub(crate) const JOB_LIST_SHARDS: u8 = 16;

/// Partition of one shard of the list of all jobs of a tenant.
pub(crate) fn job_list(t: &TenantId, shard: u8) -> String {
    format!("T#{t}#JOBS#{shard:02}")
}

/// The job's entry in that list; makes the id unique in the tenant.
pub(crate) fn job_entry(t: &TenantId, job: &JobId) -> Key {
    key(job_list(t, shard(job.as_str(), JOB_LIST_SHARDS)), job.as_str())
}

/// Partition of the list of a tenant's imports.
pub(crate) fn imports(t: &TenantId) -> String {
    format!("T#{t}#IMPORTS")
}

/// One of them; the id begins with its time.
pub(crate) fn import(t: &TenantId, import: &ImportId) -> Key {
    key(imports(t), import.as_str())
}

/// What a job was before the import that wrote it last; in its account's partition, so that it goes with the account.
pub(crate) fn job_before(t: &TenantId, account: &AccountId, job: &JobId) -> Key {
    key(account_partition(t, account), format!("UNDO#{job}"))
}

/// Partition of the tenant's seasons.
pub(crate) fn seasons(t: &TenantId) -> String {
    format!("T#{t}#SEASONS")
}

/// A season.
pub(crate) fn season(t: &TenantId, season: &SeasonId) -> Key {
    key(seasons(t), season.as_str())
}

/// Which jobs read a meter now, so that a meter is noticed that moved to another account or is listed for two jobs.
pub(crate) fn meter(t: &TenantId, identity: &str) -> Key {
    key(format!("T#{t}#METER#{}", sha256_hex(identity.as_bytes())), "METER")
}

/// Partition of the entries, by which staff find accounts and jobs, that begin alike: three letters of a word, or the last three characters of a number.
pub(crate) fn search_entries(t: &TenantId, beginning: &str) -> String {
    format!("T#{t}#FIND#{beginning}")
}

/// One of them. An account's own entry sorts before those of its jobs. An entry is letters and digits only.
pub(crate) fn search_entry(t: &TenantId, beginning: &str, entry: &str, account: &AccountId, job: Option<&JobId>) -> Key {
    key(search_entries(t, beginning), format!("{entry}#{account}#{}", job.map_or("", JobId::as_str)))
}

/// Partition of the files that were sent to be imported.
pub(crate) fn import_files(t: &TenantId) -> String {
    format!("T#{t}#IMPORT-FILES")
}

/// One of them.
pub(crate) fn import_file(t: &TenantId, file: &UploadId) -> Key {
    key(import_files(t), format!("FILE#{file}"))
}

/// Partition of the mappings that the tenant keeps.
pub(crate) fn kept_mappings(t: &TenantId) -> String {
    format!("T#{t}#MAPPINGS")
}

/// One of them; it is called as people wish.
pub(crate) fn kept_mapping(t: &TenantId, kind: &str, name: &str) -> Key {
    key(kept_mappings(t), format!("{kind}#{name}"))
}

/// Partition of the tenant's runs.
pub(crate) fn runs(t: &TenantId) -> String {
    format!("T#{t}#RUNS")
}

/// One of them; the id begins with its time.
pub(crate) fn run(t: &TenantId, run: &RunId) -> Key {
    key(runs(t), run.as_str())
}

/// Partition of the index with the runs of all tenants that are not over.
pub(crate) const OPEN_RUNS: &str = "RUNS";

/// A run's place in it.
pub(crate) fn open_run(t: &TenantId, run: &RunId) -> String {
    format!("{t}#{run}")
}

/// Whether an item of these keys may stand at this place of a partition of the index: it is of the same tenant.
pub(crate) fn may_stand_in(partition: &str, place: &str, pk: &str, sk: &str) -> bool {
    if partition == OPEN_RUNS {
        return place.split_once('#').is_some_and(|(t, run)| t.parse().is_ok_and(|t| pk == runs(&t)) && sk == run);
    }
    tenant_of(pk).is_some_and(|t| tenant_of(partition) == Some(t))
}

/// Whose partition it is, of the table or of the index.
fn tenant_of(partition: &str) -> Option<&str> {
    partition.strip_prefix("T#")?.split('#').next()
}

/// What only one at a time may do for the tenant.
pub(crate) fn turn(t: &TenantId, what: &str) -> Key {
    key(format!("T#{t}#TURN"), what)
}

/// Partition of the tenant's exports of readings.
pub(crate) fn exports(t: &TenantId) -> String {
    format!("T#{t}#EXPORTS")
}

/// Partition of what market partners answered to the tenant's messages.
pub(crate) fn market_answers(t: &TenantId) -> String {
    format!("T#{t}#MARKET")
}

/// The answer to a message or an interchange: the last CONTRL or the last APERAK.
pub(crate) fn market_answer(t: &TenantId, reference: &str, contrl: bool) -> Key {
    key(market_answers(t), format!("{reference}#{}", if contrl { "CONTRL" } else { "APERAK" }))
}

/// A user name, which is unique in the tenant.
pub(crate) fn name(t: &TenantId, folded: &str) -> Key {
    key(format!("T#{t}#NAME#{}", sha256_hex(folded.as_bytes())), "NAME")
}

/// A link token.
pub(crate) fn link(t: &TenantId, sha256_hex: &str) -> Key {
    key(format!("T#{t}#LINK#{sha256_hex}"), "LINK")
}

/// How logins with a name went lately.
pub(crate) fn attempts_with_name(t: &TenantId, folded: &str) -> Key {
    key(format!("T#{t}#FAIL#N#{}", sha256_hex(folded.as_bytes())), "FAIL")
}

/// How many logins with a password failed from a network in one quarter of an hour, counted since 1970.
pub(crate) fn failures_of_network(t: &TenantId, prefix: &str, quarter: i64) -> Key {
    key(format!("T#{t}#FAIL#A#{}", sha256_hex(prefix.as_bytes())), format!("FAIL#{quarter}"))
}

/// How many links that open nothing came from it.
pub(crate) fn failed_links_of_network(t: &TenantId, prefix: &str, quarter: i64) -> Key {
    key(format!("T#{t}#FAIL#A#{}", sha256_hex(prefix.as_bytes())), format!("LINK#{quarter}"))
}

/// How many sessions of visitors began there.
pub(crate) fn visitor_sessions_of_network(t: &TenantId, prefix: &str, quarter: i64) -> Key {
    key(format!("T#{t}#FAIL#A#{}", sha256_hex(prefix.as_bytes())), format!("VISITOR#{quarter}"))
}

/// How many errors of browsers were told from there.
pub(crate) fn browser_errors_of_network(t: &TenantId, prefix: &str, quarter: i64) -> Key {
    key(format!("T#{t}#FAIL#A#{}", sha256_hex(prefix.as_bytes())), format!("BROWSER#{quarter}"))
}

/// A family of refresh tokens; with its account, so that all logins of an account are found together.
pub(crate) fn session(t: &TenantId, account: &AccountId, family: &str) -> Key {
    key(account_partition(t, account), format!("{SESSIONS}{family}"))
}

/// Beginning of the sort keys of an account's logins.
pub(crate) const SESSIONS: &str = "SESSION#";

/// Partition of a job's readings in the ledger.
pub(crate) fn ledger(t: &TenantId, job: &JobId) -> String {
    format!("T#{t}#J#{job}")
}

/// A reading in the ledger.
pub(crate) fn result(t: &TenantId, job: &JobId, created: Timestamp, result_id: &str) -> Key {
    key(ledger(t, job), format!("{RESULT}{}#{result_id}", instant(created)))
}

/// Beginning of the sort keys of the readings.
pub(crate) const RESULT: &str = "RESULT#";

/// Partition of the tenant's readings that wait for a clerk: one, so that a list is one query (D-CLEARING-5).
pub(crate) fn waiting(t: &TenantId) -> String {
    format!("T#{t}#WAITING")
}

/// One of them, by the time at which it came.
pub(crate) fn waiting_reading(t: &TenantId, job: &JobId, created: Timestamp, result_id: &str) -> Key {
    key(waiting(t), format!("{}#{job}#{result_id}", instant(created)))
}

/// Partition, in the index, of the tenant's open jobs: one, so that a list is one query (D-STORAGE-9).
pub(crate) fn open_jobs(t: &TenantId) -> String {
    format!("T#{t}#OPEN")
}

/// The place of one of them there, by where it is.
pub(crate) fn open_job(walk: &str, account: &AccountId, job: &JobId) -> String {
    format!("{walk}#{account}#{job}")
}

/// That a member of the staff looks at a reading that waits, so that the others get another one.
pub(crate) fn waiting_lease(t: &TenantId, job: &JobId, result_id: &str) -> Key {
    key(format!("T#{t}#LOOKED"), format!("{job}#{result_id}"))
}

/// Which of these a member took last.
pub(crate) fn waiting_held(t: &TenantId, member: &str) -> Key {
    key(format!("T#{t}#HELD"), member)
}

/// Partition of what clerks decided on one day (`2026-11-21`, UTC).
pub(crate) fn decisions(t: &TenantId, day: &str) -> String {
    format!("T#{t}#DECIDED#{day}")
}

/// One of these decisions, by its time.
pub(crate) fn decision(t: &TenantId, at: Timestamp, job: &JobId, result_id: &str) -> Key {
    key(decisions(t, &at.strftime("%Y-%m-%d").to_string()), format!("{}#{job}#{result_id}", instant(at)))
}

/// Partition of the tenant's tallies.
pub(crate) fn tallies(t: &TenantId) -> String {
    format!("T#{t}#TALLY")
}

/// The tally of a season, or of the readings without a job.
pub(crate) fn tally(t: &TenantId, scope: &str) -> Key {
    key(tallies(t), scope)
}

/// Over how many partitions the changes that no tally has yet are spread.
pub(crate) const CHANGE_SHARDS: u8 = 4;

/// Partition of one shard of them.
pub(crate) fn changes(t: &TenantId, shard: u8) -> String {
    format!("T#{t}#CHANGES#{shard}")
}

/// The shard of a job's changes.
pub(crate) fn change_shard(job: &JobId) -> u8 {
    shard(job.as_str(), CHANGE_SHARDS)
}

/// The shard of what changes with an account.
pub(crate) fn account_change_shard(account: &AccountId) -> u8 {
    shard(account.as_str(), CHANGE_SHARDS)
}

/// One of them; it names nothing but what it counts.
pub(crate) fn change(t: &TenantId, shard: u8, random: [u8; 16]) -> Key {
    key(changes(t, shard), random.map(|byte| format!("{byte:02x}")).concat())
}

/// Over how many partitions the deliveries that wait for a tenant's webhook are spread.
pub(crate) const DELIVERY_SHARDS: u8 = 4;

/// Partition of one shard of the deliveries that wait.
pub(crate) fn deliveries(t: &TenantId, shard: u8) -> String {
    format!("T#{t}#PUSH#{shard}")
}

/// A delivery that waits; `order` begins with its time.
pub(crate) fn delivery(t: &TenantId, job: &JobId, order: &str) -> Key {
    key(deliveries(t, shard(job.as_str(), DELIVERY_SHARDS)), order)
}

/// Partition of the dead letters.
pub(crate) fn dead_letters(t: &TenantId) -> String {
    format!("T#{t}#PUSH#DEAD")
}

/// A dead letter.
pub(crate) fn dead_letter(t: &TenantId, order: &str) -> Key {
    key(dead_letters(t), order)
}

/// How it stands with the tenant's receiver.
pub(crate) fn receiver(t: &TenantId) -> Key {
    key(format!("T#{t}#PUSH"), "RECEIVER")
}

/// Who made the secrets by which its messages are signed.
pub(crate) fn webhook_secrets(t: &TenantId) -> Key {
    key(format!("T#{t}#PUSH"), "SECRETS")
}

/// A reading of a meter that has no job.
pub(crate) fn reading_without_job(t: &TenantId, reading: &JobId) -> Key {
    key(format!("T#{t}#UNKNOWN#{reading}"), "UNKNOWN")
}

/// Beginning of the sort keys of what leads from an account to its readings of meters that have no job.
pub(crate) const WITHOUT_JOB: &str = "UNKNOWN#";

/// What leads from the account that sent such a reading to it.
pub(crate) fn without_job_of(t: &TenantId, account: &AccountId, reading: &JobId) -> Key {
    key(account_partition(t, account), format!("{WITHOUT_JOB}{reading}"))
}

/// Over how many partitions the readings of one month are spread: 4,000 writes a second.
pub(crate) const RESULT_SHARDS: u8 = 4;

/// Partition in the results index: one shard of the readings that a tenant got in one month (UTC).
pub(crate) fn results_partition(t: &TenantId, month: &str, shard: u8) -> String {
    format!("T#{t}#R#{month}#{shard}")
}

/// The same for readings of meters that have no job.
pub(crate) fn without_job_partition(t: &TenantId, month: &str, shard: u8) -> String {
    format!("T#{t}#U#{month}#{shard}")
}

/// Both keys of such a reading in the results index.
pub(crate) fn without_job_index(t: &TenantId, reading: &JobId, created: Timestamp) -> (String, String) {
    let partition = without_job_partition(t, &month(created), shard(reading.as_str(), RESULT_SHARDS));
    (partition, format!("{}#{reading}", instant(created)))
}

/// Both keys of a reading in the results index.
pub(crate) fn result_index(t: &TenantId, job: &JobId, created: Timestamp, result_id: &str) -> (String, String) {
    let partition = results_partition(t, &month(created), shard(job.as_str(), RESULT_SHARDS));
    (partition, format!("{}#{job}#{result_id}", instant(created)))
}

/// `2026-11`, in UTC.
pub(crate) fn month(instant: Timestamp) -> String {
    instant.strftime("%Y-%m").to_string()
}

/// A time as text whose order is that of time, to the microsecond.
pub(crate) fn instant(instant: Timestamp) -> String {
    instant.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}

fn shard(id: &str, shards: u8) -> u8 {
    let first = digest::digest(&digest::SHA256, id.as_bytes()).as_ref().first().copied();
    first.unwrap_or_default() % shards
}

/// A photo that was sent ahead of its reading.
pub(crate) fn upload_object(t: &TenantId, account: &AccountId, upload: &UploadId) -> String {
    format!("{}{upload}", uploads(t, account))
}

/// Beginning of the keys of the photos that an account sent ahead.
pub(crate) fn uploads(t: &TenantId, account: &AccountId) -> String {
    format!("uploads/{t}/{account}/")
}

/// A file that a run made.
pub(crate) fn run_object(t: &TenantId, run: &RunId, name: &str) -> String {
    format!("files/{t}/{run}/{name}")
}

/// A file that a member sent to be imported.
pub(crate) fn import_object(t: &TenantId, file: &UploadId) -> String {
    format!("files/{t}/imports/{file}")
}

/// A photo of a reading.
pub(crate) fn photo_object(t: &TenantId, job: &JobId, image: &ImageId) -> String {
    format!("{}{image}", photos_of_job(t, job))
}

/// Beginning of the keys of the photos of a job.
pub(crate) fn photos_of_job(t: &TenantId, job: &JobId) -> String {
    format!("{}{job}/", photos(t))
}

/// Beginning of the keys of all photos of a tenant.
pub(crate) fn photos(t: &TenantId) -> String {
    format!("photos/{t}/")
}
