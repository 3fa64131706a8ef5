//! The table's definition, for the code that creates it: the emulators here, the infrastructure in `infra/`.

/// Partition key, a string.
pub const PARTITION_KEY: &str = "pk";
/// Sort key, a string.
pub const SORT_KEY: &str = "sk";
/// The one index: results by tenant, month and shard, accounts by tenant and shard, open jobs by tenant, the audit trail by account, and the runs that are not over. Only these carry its keys, so
/// it is sparse.
pub const RESULTS_INDEX: &str = "gsi1";
/// Partition key of [`RESULTS_INDEX`], a string.
pub const RESULTS_PARTITION_KEY: &str = "gsi1pk";
/// Sort key of [`RESULTS_INDEX`], a string.
pub const RESULTS_SORT_KEY: &str = "gsi1sk";
/// Epoch seconds after which DynamoDB may delete the item. Readers compare the time themselves.
pub const EXPIRES_AT: &str = "expiresAt";
/// What the stream shows of a change.
pub const STREAM_VIEW: &str = "NEW_AND_OLD_IMAGES";
