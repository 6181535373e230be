// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// Keeps the secrets of this process from leaking through its core dump and memory.
package enum ProcessHardening {
    /// To be called first in main, before there are threads: restarts the program unless Swift is configured not to
    /// print memory when it crashes (which is read only at the start), then forbids core dumps and reading this process
    /// from outside.
    /// - Returns: false when the kernel refused.
    @discardableResult
    package static func apply() -> Bool {
        // Otherwise libdispatch logs that it may not raise the priority of a thread.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        af_restart_without_backtraces()
        return af_forbid_dumps() == 0
    }

    /// Whether this process may be dumped, and read by other programs of the same user.
    package static var isDumpable: Bool { af_is_dumpable() }
}
