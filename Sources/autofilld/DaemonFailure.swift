// SPDX-License-Identifier: Apache-2.0

/// Why the daemon does not start: one line with its fix, and the exit status of sysexits.h.
struct DaemonFailure: Error {
    let text: String
    let status: Int32

    static func usage(_ text: String) -> DaemonFailure { DaemonFailure(text: text, status: 64) }
    static func held(_ text: String) -> DaemonFailure { DaemonFailure(text: text, status: 69) }
    static func system(_ text: String) -> DaemonFailure { DaemonFailure(text: text, status: 71) }
}
