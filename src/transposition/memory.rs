//! Memory for the table: zeroed without touching it, and an error instead of an abort when there is none.

use std::alloc::{Layout, alloc_zeroed};
use std::fmt;

use super::Cluster;

/// The memory for a table could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationError {
    /// The size asked for.
    pub mib: usize,
}

impl fmt::Display for AllocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a hash table of {} MiB", self.mib)
    }
}

impl std::error::Error for AllocationError {}

/// `count` empty clusters (at least one), or none if the memory cannot be had.
pub(super) fn zeroed(count: usize) -> Option<Vec<Cluster>> {
    let layout = Layout::array::<Cluster>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout has a size above 0.
    let memory = unsafe { alloc_zeroed(layout) }.cast::<Cluster>();
    if memory.is_null() {
        return None;
    }
    // SAFETY: the memory comes from the global allocator with the layout of `count` clusters, and clusters are atomics,
    // for which all bits zero is a valid value.
    Some(unsafe { Vec::from_raw_parts(memory, count, count) })
}

/// Asks the processor to load the cluster; does nothing where there is no such instruction.
#[inline(always)]
pub(super) fn prefetch(cluster: &Cluster) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching reads nothing the program can see, and the address is that of a live cluster.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cluster;
}
