// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import DaemonSocket
import Glibc
import Reasons
import SecretMemory

/// The service to connect to.
struct ServiceOptions: ParsableArguments {
    /// The bundle ID that autofillctl greets with. It confers no right: administration needs proof.
    static let bundleID = "org.autofilld.autofillctl"

    @Option(help: ArgumentHelp("Connect to the autofilld at this socket instead of your own.", valueName: "path"))
    var socket: String?

    /// Begins a session.
    func session(
        as bundleID: String = ServiceOptions.bundleID, reconnects: Bool = true
    ) async throws(CommandFailure) -> AutofillSession {
        // An app is inspected before each release.
        if bundleID != Self.bundleID { ProcessSecrecy.allowInspection() }
        do throws(AutofillError) {
            let session = try await AutofillSession.connect(
                bundleID: bundleID, to: ServiceSocket.ofThisProcess(path: socket), reconnects: reconnects,
                hidesMemory: true)
            if isatty(STDERR_FILENO) == 1, let notice = Self.notice(serviceVersion: session.greeting.serviceVersion) {
                Console.ofThisProcess().printError(notice.printable)
            }
            return session
        } catch {
            throw CommandFailure(error)
        }
    }

    /// After an upgrade the former daemon continues, since a restart locks the vault.
    ///
    /// - Returns: the notice and the fix; nil where the daemon has the version of this command.
    static func notice(serviceVersion: String) -> String? {
        guard serviceVersion != ProductVersion.text else { return nil }
        return "autofilld \(serviceVersion) runs, and autofillctl is \(ProductVersion.text); to restart autofilld, "
            + "which locks the vault: systemctl --user try-restart autofilld"
    }

    /// Begins a session for a command that needs a vault, which is unlocked with the proof if it is locked. If it cannot
    /// be used, no passphrase is asked for.
    func sessionWithVault(reconnects: Bool = true) async throws(CommandFailure) -> AutofillSession {
        do throws(CommandFailure) {
            let session = try await session(reconnects: reconnects)
            switch session.greeting.vault {
            case .unlocked, .locked: return session
            case .missing, nil: throw CommandFailure(Refusal(.vaultMissing))
            case .unusable(let code): throw CommandFailure(Refusal(Reason(rawValue: code.rawValue) ?? .vaultUnreadable))
            }
        } catch {
            // The passphrase may be typed by now.
            Terminal.discardInput()
            throw error
        }
    }

    /// A session with an open vault, and the proof for its calls.
    func proven(_ source: some ProofSource) async throws(CommandFailure) -> (AutofillSession, Proof) {
        let session = try await sessionWithVault()
        return (session, try await source.proof(session))
    }

    /// Makes a call with proof in a session of its own, while the vault is open.
    func call<Call: ProvableCall>(
        _ source: some ProofSource, _ call: (Proof) -> Call
    ) async throws(CommandFailure) -> Call.Answer {
        let (session, proof) = try await proven(source)
        return try await session.call(call(proof))
    }
}
