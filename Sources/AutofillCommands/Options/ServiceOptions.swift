// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import DaemonSocket
import Glibc
import Reasons
import SecretMemory

/// Which service is spoken to.
struct ServiceOptions: ParsableArguments {
    /// The bundle ID under which autofillctl greets. It gives no right: whatever matters takes proof.
    static let bundleID = "org.autofilld.autofillctl"

    @Option(help: ArgumentHelp("Ask the autofilld at this socket, not your own.", valueName: "path"))
    var socket: String?

    /// Begins a session.
    func session(
        as bundleID: String = ServiceOptions.bundleID, reconnects: Bool = true
    ) async throws(CommandFailure) -> AutofillSession {
        // An app is looked at before each release.
        if bundleID != Self.bundleID { ProcessSecrecy.allowLooks() }
        do throws(AutofillError) {
            return try await AutofillSession.connect(
                bundleID: bundleID, to: ServiceSocket.ofThisProcess(path: socket), reconnects: reconnects,
                hidesMemory: true)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Begins a session for what needs an open vault, so that nobody types a passphrase for nothing.
    func sessionWithOpenVault(reconnects: Bool = true) async throws(CommandFailure) -> AutofillSession {
        let session = try await session(reconnects: reconnects)
        switch session.greeting.vault {
        case .unlocked: return session
        case .locked: throw CommandFailure(Refusal(.vaultLocked))
        case .missing, nil: throw CommandFailure(Refusal(.vaultMissing))
        case .unusable(let code): throw CommandFailure(Refusal(Reason(rawValue: code.rawValue) ?? .vaultUnreadable))
        }
    }
}
