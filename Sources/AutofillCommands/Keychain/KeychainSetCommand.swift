// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

struct KeychainSetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets what a keychain item holds.",
        discussion: """
            A line from the terminal, or all bytes of --data-fd.

            Example:
              autofillctl keychain set org.example.Shop tokens jo --data-fd 3 3< token
            """)

    @OptionGroup var item: KeychainItemArguments

    @Option(
        name: .customLong("data-fd"),
        help: ArgumentHelp("Read the bytes from this open descriptor, to its end.", valueName: "n"))
    var dataDescriptor: Int32?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let group = try item.checkedGroup()
        let session = try await service.sessionWithOpenVault()
        let proof = try await proof.proof(session)
        let answer = try await session.call(
            KeychainSet(
                service: item.service, account: item.account, data: try data(), accessGroup: group, proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("set before, the same: \(answer.item)") }
    }

    private func data() throws(CommandFailure) -> SecretBytes {
        if let dataDescriptor {
            return try HiddenInput.readAll(descriptor: dataDescriptor, limit: Limits.itemDataBytes)
        }
        return try HiddenInput.ask("What it holds: ", limit: Limits.itemDataBytes, elsewhere: "Add --data-fd N")
    }
}
