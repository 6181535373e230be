// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

struct KeychainGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints what a keychain item holds.",
        discussion: """
            The bytes as they are; at a terminal as text, or in base 64 where they are none. It counts as a release, and \
            is put on record.

            Example:
              autofillctl keychain get org.example.Shop tokens jo > token
            """)

    @OptionGroup var item: KeychainItemArguments
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let name = try item.name()
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            KeychainGet(name, proof: try await proof.proof(session)))
        if format.json { return console.print { answer.write(to: &$0) } }
        answer.data.withUnsafeBytes { bytes in
            guard console.isTerminal else { return console.print(bytes: bytes) }
            if let text = String(validating: bytes, as: UTF8.self) { return console.print(text.printable) }
            console.print { writer in
                writer.key("data")
                writer.base64(answer.data)
            }
        }
    }
}
