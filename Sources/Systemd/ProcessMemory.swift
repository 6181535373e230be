// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// The memory that the process holds.
package enum ProcessMemory {
    /// How much freed memory is kept for what comes next, in bytes.
    private static let kept = 4 << 20

    /// Has all threads share one heap: they are few, and rarely allocate at the same time. To be called before there are any.
    package static func keepOneHeap() { af_keep_one_heap() }

    /// Gives freed memory back to the system where there is much of it: after a load glibc keeps what it took. To be called
    /// now and then; takes microseconds, and some milliseconds where there is something to give back.
    package static func giveBack() { af_return_memory(kept) }
}
