//! Every key of the table and of the bucket. None can be built without a tenant; the one exception is the item that leads from a host to its tenant.
