// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// The memory of the process.
package enum ProcessMemory {
    /// How much freed memory is kept for later allocations, in bytes.
    private static let kept = 4 << 20

    /// Has all threads use one heap: they are few, and rarely allocate at the same time. To be called before there are
    /// threads.
    package static func keepOneHeap() { af_keep_one_heap() }

    /// Returns freed memory to the system if there is much of it: after a load glibc keeps what it allocated. To be
    /// called now and then; it needs microseconds, and some milliseconds when memory is returned.
    ///
    /// `MemoryHigh=` of systemd cannot replace it: above that limit the kernel slows the process down and moves pages to
    /// swap, but memory that was freed is part of the heap, and only malloc_trim(3) returns it.
    package static func giveBack() { af_return_memory(kept) }
}
