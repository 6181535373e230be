// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

struct KeychainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: "Keychain items, what apps keep for themselves: lists, shows, sets, deletes.",
        discussion: """
            Example:
              autofillctl keychain list
            """,
        subcommands: [
            KeychainListCommand.self, KeychainGetCommand.self, KeychainSetCommand.self, KeychainDeleteCommand.self,
        ])
}

/// Which item.
struct KeychainItemArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The access group: an app's bundle ID, or a group that apps share."))
    var group: String

    @Argument(help: "The service, the app's own word.")
    var service: String

    @Argument(help: "The account.")
    var account: String

    func checkedGroup() throws(CommandFailure) -> String { try BundleIdentifier(argument: group).text }
}

struct KeychainListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists keychain items, without what they hold.",
        discussion: """
            Examples:
              autofillctl keychain list
              autofillctl keychain list org.example.suite tokens
            """)

    @Argument(help: "Only this access group; needs a service too.")
    var group: String?

    @Argument(help: "Only this service.")
    var itemService: String?

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if group != nil, itemService == nil { throw ValidationError("Name a service of the group too.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let group = try group.map { text throws(CommandFailure) in try BundleIdentifier(argument: text).text }
        let session = try await service.sessionWithOpenVault()
        let proof = try proof.proof()
        let items = try await PageRequest.all { page throws(CommandFailure) in
            let found = try await session.call(
                KeychainList(service: itemService, accessGroup: group, page: page, proof: proof))
            return (found.items, found.next)
        }
        if format.json { return console.print { $0.member("items", items) } }
        guard !items.isEmpty else { return console.print("Nothing is kept.") }
        var table = Table("GROUP", "SERVICE", "ACCOUNT", "CHANGED", "ID")
        for item in items { table.add(item.accessGroup, item.service, item.account, item.changed.minute, item.item) }
        console.print(table)
    }
}

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
    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let group = try item.checkedGroup()
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            KeychainGet(
                service: item.service, account: item.account, accessGroup: group, proof: try proof.proof()))
        if format.json { return console.print { answer.write(to: &$0) } }
        answer.data.withUnsafeBytes { bytes in
            guard console.isTerminal else { return console.print(bytes: bytes) }
            if let text = String(validating: bytes, as: UTF8.self) { return console.print(text.printable) }
            console.print { $0.member("data", base64: answer.data) }
        }
    }
}

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

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let group = try item.checkedGroup()
        let session = try await service.sessionWithOpenVault()
        let proof = try proof.proof()
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

struct KeychainDeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a keychain item, for good.",
        discussion: """
            Example:
              autofillctl keychain delete org.example.Shop tokens jo
            """)

    @OptionGroup var item: KeychainItemArguments

    @Flag(help: "Do not ask before. The passphrase or key is needed all the same.")
    var yes = false

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let group = try item.checkedGroup()
        let session = try await service.sessionWithOpenVault()
        try confirm("Delete the item of \(item.account.printable)?", unless: yes)
        let answer = try await session.call(
            KeychainDelete(
                service: item.service, account: item.account, accessGroup: group, proof: try proof.proof()))
        if format.json { console.print { answer.write(to: &$0) } }
        if !format.json, !answer.changed { console.print("There was none.") }
    }
}
