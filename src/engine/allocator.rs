//! What the allocator of the system does with large blocks that are given back.

/// Blocks of this size and more come from the system one by one, and go back to it when they are freed; in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: std::ffi::c_int = 256 << 10;

/// Has the allocator give large blocks back to the system as soon as they are freed.
///
/// The C library of GNU raises the size from which it does so whenever such a block is freed, up to 32 MiB, and keeps
/// everything smaller for later in one heap for every few threads. After some changes of Hash and Threads the tables
/// of workers long gone would still count as used. It is a setting of the whole process, so a program makes it, once, when
/// it begins. Other allocators have no need of it.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function takes two numbers and locks what it changes; a value that it refuses changes nothing.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE);
    }
}
