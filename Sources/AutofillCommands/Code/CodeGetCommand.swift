// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Reasons

struct CodeGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the current one-time code.",
        discussion: """
            A counter-based code is a new one each time. This counts as a release, and is recorded. autofillctl code SITE \
            is the same command.

            Examples:
              autofillctl code shop.example.com
              autofillctl code get shop.example.com jo@example.com | wl-copy -n
            """)

    @OptionGroup var credential: CredentialArguments

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let (session, proof) = try await service.proven(self.proof)
        let answer = try await credential.perform(session, proof) { () async throws(CommandFailure) in
            do throws(CommandFailure) {
                return try await session.call(CodeGet(try credential.name(), proof: proof))
            } catch {
                throw error.fixing(.codeNotFound, "Set them: \(setCommand)")
            }
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.code).printable)
        if console.isTerminal, let end = answer.validUntil { console.print("valid until \(end)") }
    }

    private var setCommand: String {
        CommandLineFix.command(["code", "set", credential.site] + (credential.user.map { [$0] } ?? []))
    }
}
