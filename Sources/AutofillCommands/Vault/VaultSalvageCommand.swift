// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultSalvageCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage", abstract: "Recovers the records of a damaged vault or backup.",
        // With so many options ArgumentParser's usage line lists none of them.
        usage: """
            autofillctl vault salvage [<file>] [--into <path>] [--backup-passphrase] [--backup-passphrase-fd <n>] \
            [--backup-key-file <path>] [--backup-recovery-key] [--backup-recovery-key-fd <n>] [--yes] [proof options] \
            [common options]
            """,
        discussion: """
            Recovers each record that opens, from a file that is truncated, or whose header or pages are damaged; the others \
            are listed. The file is only read. The recovered vault replaces the vault, whose file is kept; with --into it is \
            written to a new file, and the vault is not changed.

            Examples:
              autofillctl vault salvage
              autofillctl vault salvage vault-backup.sqlite --into recovered.sqlite
            """)

    @Argument(help: "The damaged file; by default the vault itself.")
    var file: String?

    @Option(help: ArgumentHelp("Write to this new file, and do not change the vault.", valueName: "path"))
    var into: String?

    @OptionGroup var backupSecret: BackupSecretOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let path: String
        if let file {
            path = try pathOfExistingFile(file)
        } else if let own = try await session.call(Status()).daemon?.vaultPath {
            path = own
        } else {
            throw CommandFailure(.usage, "The vault is not a file", fix: "Name a file")
        }
        let target: String? = if let into { try absolutePath(into) } else { nil }
        // Replacing a vault that can be opened needs proof.
        let needsProof = [.locked, .unlocked].contains(session.greeting.vault)
        if target == nil {
            try confirm("Replace the vault by the recovered records of \(path.printable)?", unless: yes || !needsProof)
        }
        let proof = needsProof ? try proof.unchecked() : nil
        let secret = try backupSecret.secret(or: proof, self.proof)
        let call = VaultRestore(path: path, secret: secret, salvages: true, target: target, proof: proof)
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        show(answer, target, console)
    }

    private func show(_ answer: VaultRestore.Answer, _ target: String?, _ console: Console) {
        answer.findings.show(of: answer.findingCount, console)
        if format.quiet { return }
        let records = answer.records.counted("record")
        console.print(
            target.map { "\($0.printable) was written: \(records) recovered." }
                ?? "\(records) recovered; the vault is unlocked.")
        if answer.quarantined > 0 {
            console.print("Records that were not recovered are in quarantine: autofillctl vault quarantine")
        }
        if let replaced = answer.replaced { console.print("The former vault is kept: \(replaced.printable)") }
        guard let target else { return }
        console.print("To use it as the vault: autofillctl vault restore \(target.printable.shellQuoted)")
    }
}

struct VaultQuarantineCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine", abstract: "Lists records in quarantine, or restores them.",
        discussion: """
            A record that still opens can be restored as it was; one that does not open stays in quarantine for further \
            analysis.

            Examples:
              autofillctl vault quarantine
              autofillctl vault quarantine --restore 3
            """)

    @Option(help: ArgumentHelp("Restore the record with this number.", valueName: "number"))
    var restore: Int?

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let answer = try await service.call(proof) { VaultQuarantine(restoring: restore, proof: $0) }
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        if let restore {
            if format.quiet, answer.changed { return }
            console.print(answer.changed ? "Number \(restore) was restored." : "There is no number \(restore).")
            if format.quiet { return }
        }
        guard !answer.rows.isEmpty else { return console.print("Nothing is in quarantine.") }
        var table = Table("NUMBER", "TABLE", "FAULT", "ABOUT")
        for row in answer.rows {
            table.add(
                "\(row.number)", row.table, row.fault,
                row.about ?? row.id.map { "\($0), does not open" } ?? "does not open")
        }
        console.print(table)
        if answer.count > answer.rows.count { console.print("… and \(answer.count - answer.rows.count) more") }
    }
}
