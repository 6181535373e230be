// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc

struct PromptsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "prompts", abstract: "Shows the service's prompts on this terminal.",
        discussion: """
            For a machine without a display, or over ssh: the requests of apps, and the prompt for the vault's passphrase, \
            are then shown here, by pinentry-curses or pinentry-tty, until Control-C or the end of the service.

            Example:
              autofillctl prompts
            """)

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        guard let name = ttyname(STDIN_FILENO) else {
            throw CommandFailure(.noInput, "Standard input is not a terminal", fix: "Run it on its own terminal")
        }
        let terminal = String(cString: name)
        let type = ProcessEnvironment.current["TERM"] ?? "dumb"
        guard PrompterAttach.isTerminal(terminal), PrompterAttach.isType(type) else {
            throw CommandFailure(.noInput, "\(terminal) of the type \(type) cannot display prompts")
        }
        let session = try await service.sessionWithVault(reconnects: false)
        let answer = try await session.call(
            PrompterAttach(terminal: terminal, type: type, proof: try await proof.secret(session)))
        if format.json {
            console.print { answer.write(to: &$0) }
        } else {
            console.print("Prompts are shown here. Press Control-C to end.")
        }
        do throws(AutofillError) {
            for await _ in try await session.events() {}
        } catch {
            throw CommandFailure(error)
        }
        throw CommandFailure(.unavailable, "The service has ended", fix: "Run it again")
    }
}
