// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

struct KeychainGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the data of a keychain item.",
        discussion: """
            Prints the bytes unchanged; at a terminal as text, or in base 64 if they are not text. This counts as a release, \
            and is recorded.

            Example:
              autofillctl keychain get org.example.Shop tokens jo > token
            """)

    @OptionGroup var item: KeychainItemArguments
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let name = try item.name()
        let answer = try await service.call(proof) { KeychainGet(name, proof: $0) }
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
