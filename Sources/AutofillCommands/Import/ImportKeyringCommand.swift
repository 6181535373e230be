// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import SecretMemory

struct ImportKeyringCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "gnome-keyring", abstract: "Imports gnome-keyring's items into the vault.",
        discussion: """
            Opens copies of your keyrings with a separate gnome-keyring, on a separate bus, and shows the items and the \
            programs that will read them. (It passes the password to no program that it did not start; it cannot stop a \
            program of yours from changing its files meanwhile.) After your confirmation all items are saved, and those \
            programs may read them; every other program prompts once for all items that it finds. The keyrings are not \
            changed. Items that the vault already has are not saved again: if the import is interrupted, run it again. \
            With --passphrase-fd each item takes half a second; at a terminal, or with --key-file, it does not.

            To move from gnome-keyring:
              autofillctl import gnome-keyring --dry-run
              autofillctl import gnome-keyring
              autofillctl secret-service enable

            Then log out and in. gnome-keyring continues as SSH agent and PKCS#11 module, with its own keys and \
            certificates; delete its keyrings when everything works.
            """)

    @Option(
        name: .customLong("keyring-password-fd"),
        help: ArgumentHelp("The keyrings' password: first line of descriptor n.", valueName: "n"))
    var passwordDescriptor: Int32?

    @Option(
        help: ArgumentHelp("Import only this keyring (name.keyring); may be repeated.", valueName: "name"))
    var keyring: [String] = []

    @Option(help: ArgumentHelp("The keyrings' directory, instead of ~/.local/share/keyrings.", valueName: "path"))
    var keyrings: String?

    @Flag(help: "Show the items, and save nothing.") var dryRun = false
    @Flag(help: "Create no grants: every program prompts.") var noGrants = false
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        // No password is asked for if the vault cannot be used.
        let session: AutofillSession? = dryRun ? nil : try await service.sessionWithVault()
        let read = try readKeyrings()
        let readers = ItemReaders()
        let items = read.flatMap { $0.items ?? [] }
            .map { (item: $0, readers: noGrants ? [] : readers.of($0)) }
        let closed = read.compactMap(\.problem)
        guard read.contains(where: { $0.items != nil }) else { throw CommandFailure(.refused, closed) }
        let listing = KeyringListing(keyrings: read, items: items)
        if !format.json { listing.show(console) } else if session == nil { console.print { listing.write(to: &$0) } }
        guard let session else { return try finish(closed) }
        if format.json, !yes { listing.show(console, asError: true) }
        try confirm("Save \(items.count.counted("item")) in the vault, and let these programs read them?", unless: yes)
        var transfer = try await ItemTransfer(session, proof: try await proof.proof(session))
        for (item, readers) in items {
            do throws(CommandFailure) {
                try await transfer.add(item, for: readers)
            } catch {
                throw error.adding(
                    "\(transfer.saved.counted("item")) of \(items.count) were saved before",
                    fix: "Fix the cause, and run the command again: it continues")
            }
        }
        if format.json {
            console.print { writer in
                listing.write(to: &writer)
                writer.member("saved", Int64(transfer.saved))
                writer.member("known", Int64(transfer.unchanged))
                writer.member("changedSince", Int64(transfer.changed))
                writer.member("granted", Int64(transfer.granted))
            }
        } else {
            show(transfer, console)
        }
        try finish(closed + transfer.problems)
    }

    /// Reports the remaining problems, after everything else was done.
    private func finish(_ problems: [CommandFailure.Problem]) throws(CommandFailure) {
        if !problems.isEmpty { throw CommandFailure(.refused, problems) }
    }

    private func readKeyrings() throws(CommandFailure) -> [ReadKeyring] {
        let environment = ProcessEnvironment.current
        let directory: String =
            if let keyrings { try absolutePath(keyrings) } else { try KeyringCopies.directory(environment) }
        let copies = try KeyringCopies(of: directory, only: keyring, environment)
        let service = try KeyringService(copies, environment)
        return try service.read(opening: copies.files.allSatisfy(\.isPlain) ? nil : try password())
    }

    private func password() throws(CommandFailure) -> SecretBytes {
        if let passwordDescriptor {
            return try HiddenInput.read(descriptor: passwordDescriptor, limit: Limits.passphraseBytes)
        }
        return try HiddenInput.ask(
            "Password of your keyring (that of your login, for most): ", limit: Limits.passphraseBytes,
            elsewhere: "Add --keyring-password-fd N")
    }

    private func show(_ transfer: ItemTransfer, _ console: Console) {
        console.print("\(transfer.saved.counted("item")) saved, \(transfer.granted.counted("grant")) made.")
        if transfer.unchanged > 0 { console.print("\(transfer.unchanged) were in the vault already.") }
        if transfer.changed > 0 {
            console.print("\(transfer.changed) were changed in the vault since, and are kept.")
        }
        console.print("Next: autofillctl secret-service enable")
    }
}

/// The items of keyrings, and the programs that will read them.
struct KeyringListing {
    let keyrings: [ReadKeyring]
    let items: [(item: KeyringItem, readers: [ItemReader])]

    /// - Parameter asError: if standard output is for the result alone.
    func show(_ console: Console, asError: Bool = false) {
        var table = Table("LABEL", "KEYRING", "PROGRAM")
        for (item, readers) in items {
            table.add(item.label, item.keyring, readers.isEmpty ? "asks" : readers.map(\.name).joined(separator: ", "))
        }
        var lines = items.isEmpty ? [] : table.lines(width: console.width)
        lines += keyrings.compactMap { keyring in
            keyring.items.map { "\(keyring.name.printable): \($0.count.counted("item"))" }
        }
        for line in lines { if asError { console.printError(line) } else { console.print(line) } }
    }

    func write(to writer: inout JSONWriter) {
        writer.key("items")
        writer.array { writer in
            for (item, readers) in items {
                writer.object { writer in
                    writer.member("label", item.label)
                    writer.member("keyring", item.keyring)
                    writer.member("programs", readers.map(\.name))
                }
            }
        }
    }
}
