// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SlotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot", abstract: "Lists, adds, changes and removes slots of the vault.",
        discussion: """
            Each slot is one way to open the vault: a passphrase, a key file or a recovery key.

            Example:
              autofillctl vault slot add --new-recovery-key
            """,
        subcommands: [SlotListCommand.self, SlotAddCommand.self, SlotChangeCommand.self, SlotRemoveCommand.self])
}

struct SlotListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the slots of the vault.",
        discussion: """
            Example:
              autofillctl vault slot list
            """)

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let answer = try await service.call(proof) { SlotList(proof: $0) }
        if format.json { return console.print { answer.write(to: &$0) } }
        var table = Table("SLOT", "KIND", "LABEL", "SINCE", "A GUESS COSTS")
        for slot in answer.slots {
            let cost = slot.scrypt.map { "\((128 * $0.n * $0.r) >> 20) MiB (scrypt)" } ?? "cannot be guessed"
            table.add(
                "\(slot.slot)", slot.kind, slot.label, slot.created?.minute ?? "",
                slot.isIntact ? cost : "damaged: see vault check")
        }
        console.print(table)
    }
}

struct SlotAddCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a passphrase, a key file or a recovery key.",
        discussion: """
            A recovery key is shown once; write it down, or print a sheet with it and what it is for, which needs no file.

            Examples:
              autofillctl vault slot add
              autofillctl vault slot add --new-recovery-key
              autofillctl vault slot add --new-recovery-key --sheet | lpr
              autofillctl vault slot add --new-key-file /media/stick/vault.key --label stick
            """)

    @OptionGroup var secret: NewSecretOptions

    @Option(help: "The label.")
    var label: String?

    @Flag(help: "With --new-recovery-key: print a sheet for paper, with the key and how to use it.")
    var sheet = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if sheet, !secret.newRecoveryKey || format.json {
            throw ValidationError("--sheet needs --new-recovery-key, and excludes --json.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithVault()
        let proof = try await proof.secret(session)
        let page: RecoverySheet? = try await sheet ? RecoverySheet(session) : nil
        let answer = try await secret.withSecret { secret throws(CommandFailure) in
            try await session.call(SlotAdd(secret: secret, label: label, proof: proof))
        }
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        if let page, let recoveryKey = answer.recoveryKey {
            try page.print(recoveryKey, slot: answer.slot, console)
            if !format.quiet {
                console.printError("Slot \(answer.slot) now also opens the vault; the key is on the sheet alone.")
            }
            return
        }
        format.report("Slot \(answer.slot) now also opens the vault.", console)
        if !format.quiet { console.print(SlotReport(kind: answer.kind, protects: answer.protects)) }
        if let recoveryKey = answer.recoveryKey { console.print(recoveryKey: recoveryKey) }
    }
}

struct SlotChangeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Changes the secret of a slot.",
        discussion: """
            No record is rewritten. The former secret still opens earlier backups; they are listed, and autofillctl vault \
            rekey makes the former key useless for the vault.

            Example:
              autofillctl vault slot change 1
            """)

    @Argument(help: "The slot, from autofillctl vault slot list.")
    var slot: Int

    @OptionGroup var secret: NewSecretOptions

    @Option(help: "The label; by default unchanged.")
    var label: String?

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithVault()
        let proof = try await proof.secret(session)
        let answer = try await secret.withSecret { secret throws(CommandFailure) in
            try await session.call(SlotChange(slot: slot, secret: secret, label: label, proof: proof))
        }
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        format.report("Slot \(slot) was changed.", console)
        if let recoveryKey = answer.recoveryKey { console.print(recoveryKey: recoveryKey) }
        if !format.quiet { console.print(stillOpen: answer.backups, unchecked: answer.uncheckedBackups) }
    }
}

struct SlotRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a slot; never the last one.",
        discussion: """
            The vault key stays, so the secret still opens earlier backups; they are listed, and autofillctl vault rekey \
            makes the former key useless for the vault. Where sync is on, this machine gets another id and the group \
            another key.

            Example:
              autofillctl vault slot remove 2
            """)

    @Argument(help: "The slot, from autofillctl vault slot list.")
    var slot: Int

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithVault()
        try confirm("Remove slot \(slot)?", unless: yes)
        let answer = try await session.call(SlotRemove(slot: slot, proof: try await proof.secret(session)))
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        format.report("Slot \(slot) was removed.", console)
        if !format.quiet { console.print(stillOpen: answer.backups, unchecked: answer.uncheckedBackups) }
    }
}
