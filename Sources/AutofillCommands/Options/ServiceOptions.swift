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
        if bundleID != Self.bundleID { ProcessSecrecy.allowInspection() }
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

extension AutofillSession {
    /// A call whose refusal ends the command. After a wrong passphrase the next try has to wait, a few seconds at most:
    /// the command waits, and tries once more.
    func call<Call: MethodCall>(_ call: Call) async throws(CommandFailure) -> Call.Answer {
        do throws(AutofillError) {
            do throws(AutofillError) {
                return try await perform(call)
            } catch {
                guard case .refused(let reasons) = error,
                    error.isRefused(for: .init(rawValue: Reason.proofTooSoon.rawValue)),
                    let delay = reasons.compactMap(\.retryAfter).max()
                else { throw error }
                if isatty(STDERR_FILENO) == 1 {
                    Console.ofThisProcess().printError("A wrong passphrase or key was given a moment ago: waiting.")
                }
                guard (try? await Task.sleep(for: delay)) != nil else { throw error }
                return try await perform(call)
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}
