// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc

struct PromptsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "prompts", abstract: "Shows the service's prompts on this terminal.",
        discussion: """
            For a machine without a display, or over ssh: what an app asks for, and the vault's passphrase, are then asked \
            here, by pinentry-curses or pinentry-tty, until Control-C or until the service ends.

            Example:
              autofillctl prompts
            """)

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        guard let name = ttyname(STDIN_FILENO) else {
            throw CommandFailure(.noInput, "Standard input is no terminal", fix: "Run it on a terminal of its own")
        }
        let terminal = String(cString: name)
        let type = ProcessEnvironment.current["TERM"] ?? "dumb"
        guard PrompterAttach.isTerminal(terminal), PrompterAttach.isType(type) else {
            throw CommandFailure(.noInput, "\(terminal) of the type \(type) is no terminal that prompts can show on")
        }
        let session = try await service.sessionWithOpenVault(reconnects: false)
        let answer = try await session.call(
            PrompterAttach(terminal: terminal, type: type, proof: try proof.proof()))
        if format.json {
            console.print { answer.write(to: &$0) }
        } else {
            console.print("Prompts show here. End it with Control-C.")
        }
        do throws(AutofillError) {
            for await _ in try await session.events() {}
        } catch {
            throw CommandFailure(error)
        }
        throw CommandFailure(.unavailable, "The service has ended", fix: "Run it again")
    }
}
