// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct VaultSalvageCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage", abstract: "Gives back what is left in a damaged vault or backup.",
        discussion: """
            Each record that opens is had back, from a file that was cut off, or whose header or pages are damaged; what is \
            not is listed. The file is only read. The vault that is made of it takes the place of the vault, which is kept; \
            with --into it becomes a new file, and the vault stays as it is.

            Examples:
              autofillctl vault salvage
              autofillctl vault salvage vault-backup.sqlite --into had-back.sqlite
            """)

    @Argument(help: "The damaged file; the vault itself where none is named.")
    var file: String?

    @Option(help: ArgumentHelp("Make this new file, and leave the vault alone.", valueName: "path"))
    var into: String?

    @OptionGroup var backupSecret: BackupSecretOptions

    @Flag(help: "Do not ask before.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let path: String
        if let file {
            path = try pathOfExistingFile(file)
        } else if let own = try await session.call(Status()).vaultPath {
            path = own
        } else {
            throw CommandFailure(.usage, "The vault is no file", fix: "Name one")
        }
        let target: String? = if let into { try absolutePath(into) } else { nil }
        // Where there is a vault that can be opened, it is its owner who replaces it.
        let needsProof = [.locked, .unlocked].contains(session.greeting.vault)
        if target == nil {
            try confirm("Put what is left of \(path.printable) in the place of the vault?", unless: yes || !needsProof)
        }
        let proof = needsProof ? try proof.proof() : nil
        let secret = try backupSecret.secret(or: proof, self.proof)
        let call = VaultRestore(path: path, secret: secret, salvages: true, target: target, proof: proof)
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        show(answer, target, console)
    }

    private func show(_ answer: VaultRestore.Answer, _ target: String?, _ console: Console) {
        answer.findings.show(of: answer.findingCount, console)
        let records = answer.records.counted("record")
        console.print(
            target.map { "\($0.printable) was made: \(records) had back." }
                ?? "\(records) had back; the vault is unlocked.")
        if answer.quarantined > 0 {
            console.print("What could not be had back is in quarantine: autofillctl vault quarantine")
        }
        if let replaced = answer.replaced { console.print("The vault before is kept: \(replaced.printable)") }
        if let target { console.print("To have it for the vault: autofillctl vault restore \(target.shellQuoted)") }
    }
}

struct VaultQuarantineCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine", abstract: "Lists what repairs took out of use, or gives it back.",
        discussion: """
            A record that still opens can be had back, as it was then; one that does not stays for whoever can make \
            something of it.

            Examples:
              autofillctl vault quarantine
              autofillctl vault quarantine --take-back 3
            """)

    @Option(help: ArgumentHelp("Have the record of this number in use again.", valueName: "number"))
    var takeBack: Int?

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            VaultQuarantine(takingBack: takeBack, proof: try await proof.proof(session)))
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        if let takeBack {
            console.print(answer.changed ? "Number \(takeBack) is in use again." : "There is no number \(takeBack).")
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
