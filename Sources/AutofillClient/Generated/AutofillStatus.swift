// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// The state of the service. It shows how much data there is, and none of the data.
public struct AutofillStatus: Hashable, Sendable {
    public let protocolVersion: Int
    public let vault: VaultState
    public let daemon: Daemon?

    init(_ report: Status.Answer) {
        protocolVersion = report.protocolVersion
        vault = VaultState(report.vault)
        daemon = report.daemon.map(Daemon.init)
    }
}

extension AutofillStatus {
    public struct Daemon: Hashable, Sendable {
        public let version: String
        public let isEphemeral: Bool
        public let work: VaultWork?

        init(_ report: DaemonState) {
            version = report.version
            isEphemeral = report.isEphemeral
            work = report.work.map(VaultWork.init)
        }
    }
}

extension AutofillStatus {
    /// The progress of long work on the whole vault.
    public struct VaultWork: Hashable, Sendable {
        /// The method that started it; nil for work that the daemon started.
        public let method: String?
        /// The number of records processed.
        public let done: Int
        /// The number of all records; 0 while it is unknown.
        public let all: Int

        init(_ report: Status.VaultWork) {
            method = report.method
            done = report.done
            all = report.all
        }
    }
}
