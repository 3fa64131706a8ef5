//! Attributes of items.
