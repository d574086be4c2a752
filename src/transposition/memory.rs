//! Memory for the table: zeroed without touching it, and an error instead of an abort when there is none.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;
use std::slice;

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

/// The size of a huge page on the processors that have them, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// The clusters of a table, empty at first. They begin at a page of their own, and ask for huge ones: a table is read at
/// random, and every small page would need its own entry in the processor's list of pages.
pub(super) struct Clusters {
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<Cluster>,
    count: usize,
}

// SAFETY: the clusters belong to this value alone, and are atomics, which any thread may read and write.
unsafe impl Send for Clusters {}
// SAFETY: as above.
unsafe impl Sync for Clusters {}

impl Clusters {
    /// So many empty clusters (at least one), or none if the memory cannot be had. The system gives each page when it is
    /// first written, near to the thread that does.
    pub(super) fn zeroed(count: usize) -> Option<Clusters> {
        let size = count.checked_mul(size_of::<Cluster>()).filter(|&size| size > 0)?;
        let alignment = if size < HUGE_PAGE { align_of::<Cluster>() } else { HUGE_PAGE };
        // Allocators fill a block of unusual alignment with zeros themselves, touching all of it. So the block is larger
        // than needed, and aligned here.
        let layout = Layout::from_size_align(size.checked_add(alignment)?, align_of::<u64>()).ok()?;
        // SAFETY: the layout has a size above 0.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = block.align_offset(alignment);
        debug_assert!(offset < alignment, "bytes can be aligned to any power of two");
        // SAFETY: the block is longer than offset and size together.
        let first = unsafe { block.add(offset) }.cast::<Cluster>();
        advise_huge_pages(first.cast(), size);
        Some(Clusters { block, layout, first, count })
    }
}

impl Deref for Clusters {
    type Target = [Cluster];

    #[inline(always)]
    fn deref(&self) -> &[Cluster] {
        // SAFETY: from `first` on, `count` clusters lie in a block that lives as long as this value; they are aligned, and all
        // bits zero is a valid value of atomics.
        unsafe { slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl Drop for Clusters {
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout, and nobody can use it any more.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}

/// Asks for huge pages where the system has them on request. It is advice: nothing depends on its success.
fn advise_huge_pages(memory: NonNull<u8>, size: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    if size >= HUGE_PAGE {
        use rustix::mm::{Advice, madvise};
        // SAFETY: the memory belongs to the caller, begins at a page, and the advice changes nothing that is in it.
        let _ = unsafe { madvise(memory.as_ptr().cast(), size, Advice::LinuxHugepage) };
    }
    #[cfg(any(not(target_os = "linux"), miri))]
    let _ = (memory, size);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn clusters_are_aligned_empty_and_all_there() {
        for count in [1, 5, HUGE_PAGE / 64 - 1, HUGE_PAGE / 64, 100_000] {
            let clusters = Clusters::zeroed(count).unwrap();
            let begins_at = clusters.as_ptr().addr();
            let alignment = if count * 64 < HUGE_PAGE { 64 } else { HUGE_PAGE };
            assert!(clusters.len() == count && begins_at.is_multiple_of(alignment));
            assert!(clusters.iter().all(|cluster| cluster.data[4].load(Ordering::Relaxed) == 0));
            clusters[count - 1].marks[4].store(7, Ordering::Relaxed);
            assert_eq!(clusters[count - 1].marks[4].load(Ordering::Relaxed), 7);
        }
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        for count in [0, usize::MAX, usize::MAX / 64, isize::MAX as usize / 64 - 10, 1 << 52] {
            assert!(Clusters::zeroed(count).is_none(), "{count}");
        }
    }
}
