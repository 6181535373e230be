// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc
import Reasons
import SecretMemory

struct ImportFileCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Imports a file, a browser profile or a store of pass.",
        // With so many options ArgumentParser's usage line lists none of them.
        usage: """
            autofillctl import file <file> [--dry-run] [--conflicts <rule>] [--column <role=name>] \
            [--file-password-fd <n>] [--file-key <path>] [--yes] [proof options] [common options]
            """,
        discussion: """
            Recognises the format by its content: CSV of Chrome, Edge, Firefox, Apple Passwords, Bitwarden, 1Password, \
            LastPass, NordPass, Proton Pass, Dashlane, KeePass and KeePassXC; JSON of Bitwarden; Credential Exchange \
            Format; KDBX; XML of KeePass and KWallet; 1PUX. Another CSV file needs --column for each column. Of a \
            browser name the directory of its profile (about:profiles in Firefox, chrome://version in Chromium), of \
            pass and gopass that of the store: gpg decrypts it, and asks for your key's passphrase.

            Shows first what is new, identical, in conflict, or not imported; then all entries are saved at once, after \
            a backup, and can be reverted for a day with autofillctl import undo. An entry is in conflict if its site \
            and user are saved with something else. An interruption leaves everything as it was. autofill-convert \
            reads the file, without access to the vault, the network or other files. autofillctl import FILE is the same \
            command.

            Examples:
              autofillctl import passwords.csv --dry-run
              autofillctl import vault.kdbx --conflicts newer
              autofillctl import ~/.password-store
              autofillctl import list.csv --column site=URL --column password=Secret
            """)

    /// What becomes of conflicts.
    enum Conflicts: String, CaseIterable, ExpressibleByArgument { case newer, both, skip, ask }

    @Argument(help: "The file, or the directory of a profile or a store.") var file: String
    @Flag(help: "Show what would be imported, and save nothing.") var dryRun = false
    @Option(
        help: ArgumentHelp(
            "What becomes of entries in conflict: newer (what was changed last is current), both, skip, or ask.",
            valueName: "rule"))
    var conflicts: Conflicts?
    @Option(
        help: ArgumentHelp(
            "A column of another CSV file, by name or number: title, site, user, password, notes, code, folder, tags, …",
            valueName: "role=name"))
    var column: [String] = []
    @Option(
        name: .customLong("file-password-fd"),
        help: ArgumentHelp("The file's password: first line of descriptor n.", valueName: "n"))
    var passwordDescriptor: Int32?
    @Option(
        name: .customLong("file-key"), help: ArgumentHelp("The key file of a KDBX file.", valueName: "path"))
    var fileKey: String?
    @Flag(help: "Do not ask for confirmation; the file is kept.") var yes = false
    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        // A converter that has ended is reported by its status.
        signal(SIGPIPE, SIG_IGN)
        let converter = try ConverterProgram()
        let input = try ImportInput(try absolutePath(file))
        let session = try await service.sessionWithVault(reconnects: false)
        let proof = try await proof.proof(session)
        let staged = try await stage(input, converter, session, proof, format.json ? nil : console)
        if let further = input.further, !format.json {
            console.print(
                "note: ",
                hanging: "What the browser keeps in your account alone is in another file: autofillctl import "
                    + further.printable.shellQuoted)
        }
        let reviewed = try await staged.review()
        if !format.json { reviewed.show(console, all: dryRun) }
        if dryRun || reviewed.isEmpty {
            if format.json { return console.print(json: { reviewed.write(to: &$0) }) }
            return console.print(dryRun ? "Nothing was saved." : "There is nothing to import.")
        }
        let (rule, choices) = try rule(for: reviewed)
        try confirm("Import \(reviewed.counts.new + reviewed.counts.conflicts) entries?", unless: yes)
        let answer = try await staged.commit(rule, choices: choices, proof)
        if format.json {
            return console.print { writer in
                reviewed.write(to: &writer)
                writer.key("imported")
                writer.object { answer.write(to: &$0) }
            }
        }
        report(answer, console)
        if !yes, Terminal.isThere, input.isPlain { try offerRemoval(console) }
    }

    /// Has the file converted, and gives its entries to the daemon; where it is encrypted its password is asked for.
    private func stage(
        _ input: ImportInput, _ converter: ConverterProgram, _ session: AutofillSession, _ proof: Proof,
        _ progress: Console?
    ) async throws(CommandFailure) -> StagedImport {
        var secrets = ConverterProgram.Secrets(keyFile: try fileKey.map(absolutePath) ?? input.keyFile)
        if let passwordDescriptor {
            secrets.password = try HiddenInput.read(descriptor: passwordDescriptor, limit: Limits.passphraseBytes)
        }
        if secrets.password != nil || secrets.keyFile != nil { input.isPlain = false }
        while true {
            var staged = try await StagedImport(session, proof, progress: progress)
            try input.rewind()
            let end = try await converter.records(of: input, secrets, columns: column, progress: progress) {
                descriptor async throws(CommandFailure) in
                try await staged.add(recordsFrom: descriptor)
            }
            switch end {
            case .done: return staged
            case .asksForPassword where secrets.password == nil:
                secrets.password = try input.password(of: file)
            case .asksForPassword: throw CommandFailure(.badData, "The file cannot be opened with its password")
            case .refused(let message):
                throw CommandFailure(.badData, "\(file.printable): \(message.printable)")
            }
        }
    }

    private func rule(
        for reviewed: ReviewedImport
    ) throws(CommandFailure) -> (ImportCommit.Rule, [ImportChoice]) {
        guard !reviewed.conflicts.isEmpty else { return (.skip, []) }
        switch conflicts {
        case .newer: return (.newer, [])
        case .both: return (.both, [])
        case .skip: return (.skip, [])
        case .ask, nil:
            if yes {
                throw CommandFailure(
                    .usage, "\(reviewed.conflicts.count.counted("entry", "entries")) in conflict, and no rule for them",
                    fix: "Add --conflicts newer, both or skip")
            }
            let dialogue = try ConflictDialogue(reviewed.conflicts)
            return (dialogue.rest, dialogue.choices)
        }
    }

    private func report(_ answer: ImportCommit.Answer, _ console: Console) {
        console.print()
        console.print(
            "\(answer.added) added, \(answer.changed) changed, \(answer.identical) identical, "
                + "\(answer.skipped) skipped.")
        for finding in answer.findings.map(NotImported.init) {
            console.print("\(finding.title.printable): \(finding.text.printable)")
        }
        if let backup = answer.backup { console.print("The vault before: \(backup.printable)") }
        console.print("To revert the import, within a day: autofillctl import undo")
    }

    private func offerRemoval(_ console: Console) throws(CommandFailure) {
        let terminal = try Terminal(orElse: "")
        defer { terminal.close() }
        // The file itself, where it was named by a link.
        let path = try absolutePath(file)
        var status = stat()
        let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        let resolved = isLink ? realpath(path, nil) : nil
        defer { free(resolved) }
        let target = resolved.map { String(cString: $0) } ?? path
        let name = (isLink ? target : file).printable
        guard terminal.confirms("\(name) has your passwords in the clear. Delete it?") else { return }
        guard unlink(target) == 0 else {
            throw CommandFailure(.system, "\(name) cannot be deleted: \(String(cString: strerror(errno)))")
        }
        console.print("\(name) is deleted; what the disk had of it is not overwritten.")
    }
}
