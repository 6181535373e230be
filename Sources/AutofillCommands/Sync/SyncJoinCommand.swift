// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc
import Reasons
import SecretMemory

struct SyncJoinCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Joins the machines that exchange a folder.",
        usage: """
            autofillctl sync join (<folder> | --git <url>) [--name <name>] [--code-fd <n>] [--no-wait] [proof options] \
            [common options]
            """,
        discussion: """
            The folder is the one of the other machine, as it is carried here. autofillctl sync invite shows the code \
            there, and asks there whether this machine is let in. Then both vaults have what either had.

            Waits until this machine is let in, and shows what it waits for. With --no-wait, and after Control-C, the \
            service continues to wait: autofillctl sync status. To end it: autofillctl sync stop.

            Examples:
              autofillctl sync join ~/Sync/passwords
              autofillctl sync join --git ssh://server.example/sync.git --name laptop
            """)

    @OptionGroup var exchange: SyncLocationOptions

    @Option(
        name: .customLong("code-fd"),
        help: ArgumentHelp("The code of the invitation: first line of descriptor n.", valueName: "n"))
    var codeDescriptor: Int32?

    @Flag(help: "Do not wait until this machine is let in.") var noWait = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let (location, name) = (try exchange.location(), try exchange.machineName())
        let session = try await service.sessionWithVault()
        let secret = try await proof.secret(session)
        let answer = try await session.call(
            SyncJoin(location: location, code: try code(), name: name, proof: secret))
        if noWait {
            if format.json { return console.print(json: { answer.write(to: &$0) }) }
            return console.print(
                "", hanging: "This machine waits to be let in: answer on the other one. See: autofillctl sync status")
        }
        let proof = try await session.further(secret)
        let errors = console
        try Interruption.catch {
            errors.printError(
                "autofillctl: Interrupted; autofilld continues to wait: autofillctl sync status. "
                    + "To end that: autofillctl sync stop")
            _exit(ExitStatus.interrupted.rawValue)
        }
        let status = try await joined(session, proof, console)
        if format.json { return console.print(json: { status.write(to: &$0) }) }
        let others = status.devices.filter { !$0.isThis && $0.isMember }.map(\.label)
        console.print(
            "",
            hanging: "This machine, “\(name.printable)”, is let in"
                + (others.isEmpty ? "." : ", beside \(others.joined(separator: ", ")).")
                + " What is still missing: autofillctl sync status")
    }

    private func code() throws(CommandFailure) -> SecretBytes {
        if let codeDescriptor {
            return try HiddenInput.read(descriptor: codeDescriptor, limit: Limits.recoveryKeyBytes)
        }
        return try HiddenInput.ask(
            "Code of the invitation: ", limit: Limits.recoveryKeyBytes, elsewhere: "Add --code-fd N")
    }

    /// Waits until this machine is a member.
    private func joined(
        _ session: AutofillSession, _ proof: Proof, _ console: Console
    ) async throws(CommandFailure) -> SyncStatus.Answer {
        var shown: String?
        while true {
            let status = try await session.call(SyncStatus(proof: proof))
            switch status.state {
            case .active, .undecided: return status
            case .off:
                throw CommandFailure(
                    .refused,
                    [
                        .init(
                            code: Reason.invitationNotValid.rawValue,
                            message: status.problem ?? "This machine no longer waits to be let in",
                            fix: "Invite it again on the other machine: autofillctl sync invite")
                    ])
            default:
                let problem = status.problem ?? "Waiting to be let in: answer on the other machine"
                if problem != shown, !format.json { console.printError(problem.printable) }
                shown = problem
            }
            guard (try? await Task.sleep(for: proof.pause)) != nil else {
                throw CommandFailure(.interrupted, "Interrupted")
            }
        }
    }
}

extension Proof {
    /// The delay between two calls with it: a passphrase costs a key derivation each time.
    fileprivate var pause: Duration {
        switch self {
        case .passphrase, .typedPassphrase: .seconds(5)
        case .key, .recoveryKey, .prompt, .terminal: .seconds(1)
        }
    }
}
