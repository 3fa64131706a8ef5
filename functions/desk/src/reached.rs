use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The progress of something long: the work reports it, and the display reads it.
#[derive(Debug, Default)]
pub struct Reached {
    done: AtomicU64,
    of: AtomicU64,
    is_stopped: AtomicBool,
}

impl Reached {
    /// So many more are to be done.
    pub fn expect(&self, more: usize) {
        self.of.fetch_add(more as u64, Ordering::Relaxed);
    }

    /// So many more are done.
    pub fn add(&self, more: usize) {
        self.done.fetch_add(more as u64, Ordering::Relaxed);
    }

    /// So many of so many are done.
    pub fn set(&self, done: u64, of: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }

    /// It is not wanted any more: what is begun is ended, and nothing else is.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it is not wanted any more.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// The number of those done, and of all.
    pub fn so_far(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed))
    }
}
