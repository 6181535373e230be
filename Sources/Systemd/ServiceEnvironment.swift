// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import CSystemd
package import EventLoop
internal import Glibc

/// What the service manager passes to a process in environment variables.
package struct ServiceEnvironment: Sendable {
    private let notifySocket: String?
    private let journalStream: String?

    /// - Parameter variables: an environment, of which `NOTIFY_SOCKET` and `JOURNAL_STREAM` are read.
    package init(variables: [String: String]) {
        notifySocket = variables["NOTIFY_SOCKET"]
        journalStream = variables["JOURNAL_STREAM"]
    }

    /// To be called before there are threads that change the environment.
    package static func ofThisProcess() -> ServiceEnvironment {
        var variables: [String: String] = [:]
        for name in ["NOTIFY_SOCKET", "JOURNAL_STREAM"] { variables[name] = getenv(name).map { String(cString: $0) } }
        return ServiceEnvironment(variables: variables)
    }

    /// Reports the state of this service to the manager; does nothing if there is no manager.
    package func notifier(on loop: EventLoop) -> ServiceNotifier { ServiceNotifier(on: loop, address: notifySocket) }

    /// The manager restarts this process if it has received no keep-alive for so long; nil if it does not watch it.
    package var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(microseconds) : nil
    }

    /// The journal if standard error is connected to it, else standard error.
    package var journalOutput: JournalOutput {
        var (device, inode) = (UInt64(0), UInt64(0))
        guard let journalStream, af_standard_error_identity(&device, &inode), journalStream == "\(device):\(inode)"
        else { return .standardError }
        return .journal(socket: JournalOutput.systemSocket)
    }
}
