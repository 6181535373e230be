// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// Whether other programs of the same user may read this process's memory. A descriptor of it that one has opened while
/// they might stays good.
package enum ProcessSecrecy {
    package static var allowsInspection: Bool { af_is_dumpable() }

    /// From now on none may (PR_SET_DUMPABLE), and no core is dumped.
    package static func forbidInspection() { _ = af_forbid_dumps() }

    /// Permits inspection again: for the service, which inspects its peers.
    package static func allowInspection() { af_set_dumpable(true) }

    /// No core of this process is dumped, though others may inspect it: for the daemon's clients, which it has to
    /// inspect, so PR_SET_DUMPABLE cannot be 0.
    package static func forbidCoreDumps() { _ = af_forbid_cores() }
}
