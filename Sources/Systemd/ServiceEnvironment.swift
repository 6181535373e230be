// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// What the service manager tells a process that it starts, in environment variables.
package struct ServiceEnvironment: Sendable {
    let variables: [String: String]
    let processID: Int32

    package init(variables: [String: String], processID: Int32) {
        self.variables = variables
        self.processID = processID
    }

    /// The variables that this room reads, of this process. To be called before there are threads that change them.
    package static func ofThisProcess() -> ServiceEnvironment {
        let names = [
            "NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "WATCHDOG_USEC", "WATCHDOG_PID",
            "JOURNAL_STREAM",
        ]
        let variables = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        return ServiceEnvironment(variables: Dictionary(uniqueKeysWithValues: variables), processID: getpid())
    }

    /// Tells the manager how this service is doing; does nothing where no manager listens.
    package var notifier: ServiceNotifier { ServiceNotifier(address: variables["NOTIFY_SOCKET"]) }

    /// The manager restarts the service when it has had no sign of life for this long; nil when it does not watch. Half of
    /// it is a good interval.
    package var watchdogInterval: Duration? {
        guard let microseconds = variables["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0,
            variables["WATCHDOG_PID"].map({ Int32($0) == processID }) ?? true
        else { return nil }
        return .microseconds(microseconds)
    }

    /// The journal, when standard error leads there; else standard error.
    package var journalOutput: JournalOutput {
        var (device, inode) = (UInt64(0), UInt64(0))
        guard let stream = variables["JOURNAL_STREAM"], af_standard_error_identity(&device, &inode),
            stream == "\(device):\(inode)"
        else { return .standardError }
        return .journal(socket: JournalOutput.systemSocket)
    }
}
