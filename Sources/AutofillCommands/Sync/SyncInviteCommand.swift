// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc
import SecretMemory

struct SyncInviteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Shows the code that lets another machine in.",
        discussion: """
            The code is valid for one machine and 15 minutes, while this command runs. When a machine has answered, you \
            are asked whether to let it in: it then gets everything that is saved in this vault, which the log records. \
            Answer only if it is the machine at which you have just typed the code. If two machines answer, neither is \
            let in.

            With --json an object with the code is printed, and at the end one with the machine.

            Example:
              autofillctl sync invite
            """)

    @Flag(help: "Let the machine in that answers, without asking.") var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        // Before there is a code.
        let terminal = yes ? nil : try Terminal(orElse: "Add --yes")
        defer { terminal?.close() }
        // The invitation belongs to the connection.
        let session = try await service.sessionWithVault(reconnects: false)
        let proof = try await proof.secret(session)
        let code = try await session.call(SyncInvite(proof: proof)).code
        let errors = console
        try Interruption.catch {
            errors.printError("autofillctl: Interrupted; the invitation has ended")
            _exit(ExitStatus.interrupted.rawValue)
        }
        show(code, console)
        let (device, name) = try await answer(session, console)
        let question = "Let in “\(name.printable)”? It gets everything that is saved in this vault."
        let accepts = terminal?.confirms(question) ?? true
        _ = try await session.call(SyncAdmit(device: device, accept: accepts))
        guard accepts else {
            throw CommandFailure(.refused, "“\(name.printable)” was not let in; the invitation has ended")
        }
        if format.json {
            return console.print { writer in
                writer.member("device", device)
                writer.member("name", name)
                writer.member("admitted", true)
            }
        }
        console.print(
            "", hanging: "“\(name.printable)” is let in. What arrives there, and from there: autofillctl sync status")
    }

    private func show(_ code: SecretBytes, _ console: Console) {
        if format.json { return console.print(json: { $0.member("code", code) }) }
        let minutes = (Limits.invitationMilliseconds / 60_000).counted("minute")
        console.print("On the other machine, within \(minutes):")
        console.print()
        console.print("  autofillctl sync join FOLDER")
        console.print()
        console.print("The code that it asks for:")
        console.print()
        console.print("  ", terminator: "")
        code.withUnsafeBytes { console.print(bytes: $0) }
        console.print("\n")
        if console.isTerminal, let image = try? ConverterProgram().code(of: code) {
            console.print(qrCode: image)
            console.print()
        }
    }

    /// Waits until a machine has answered; the service refuses the call when the invitation ends.
    private func answer(
        _ session: AutofillSession, _ console: Console
    ) async throws(CommandFailure) -> (device: String, name: String) {
        let end = ContinuousClock.now + .milliseconds(Limits.invitationMilliseconds)
        var shown = Int.max
        while true {
            let answer = try await session.call(SyncAnswer())
            if let device = answer.device { return (device, answer.name ?? "") }
            let left = max(0, Int((end - .now).components.seconds)) / 60 + 1
            if left < shown, console.isTerminal, !format.json {
                console.printError("Waiting for its answer, \(left.counted("minute")) at most; Control-C ends it")
                shown = left
            }
            guard (try? await Task.sleep(for: .seconds(1))) != nil else {
                throw CommandFailure(.interrupted, "Interrupted; the invitation has ended")
            }
        }
    }
}
