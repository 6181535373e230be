// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc

struct VaultBackupCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the vault into a new file, and checks it.",
        discussion: """
            The file is readable by you alone (mode 0600), never overwrites another, and is encrypted like the vault. It is \
            opened by the present secrets of the vault: keep that passphrase or key as long as the backup.

            The backups that autofilld makes each day are in the vault's own directory: they do not replace one on another \
            disk. Settings, your own registrations and key files are not in a backup.

            Example:
              autofillctl vault backup /media/stick/vault-backup.sqlite
            """)

    @Argument(help: "The file to create.")
    var file: String

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let path = try absolutePath(file)
        let (session, proof) = try await service.proven(self.proof)
        let call = VaultBackup(path: path, proof: proof)
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        format.report(
            "\(answer.path): \(answer.records.counted("record")), \(answer.length.counted("byte")), read back.",
            console)
    }
}

struct BackupListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "backups", abstract: "Lists the backups, including automatic ones.",
        discussion: """
            One is made each day, in the directory of the vault, and the oldest ones are deleted: see the setting \
            automaticBackups.

            Example:
              autofillctl vault backups
            """)

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let answer = try await service.call(proof) { BackupList(proof: $0) }
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        guard !answer.backups.isEmpty else { return console.print("There is no backup yet.") }
        var table = Table("MADE", "BY", "BYTES", "FILE")
        for backup in answer.backups {
            table.add(
                backup.made?.minute ?? "before an update", backup.isAutomatic ? "autofilld" : "command",
                "\(backup.length)", backup.path)
        }
        console.print(table)
    }
}

/// The absolute path, which the service needs because it runs elsewhere.
func absolutePath(_ path: String) throws(CommandFailure) -> String {
    if path.hasPrefix("/") { return path }
    guard let directory = getcwd(nil, 0) else {
        throw CommandFailure(.system, "The current directory cannot be determined", fix: "Give the absolute path")
    }
    defer { free(directory) }
    return String(cString: directory) + "/" + path
}

/// The absolute path of a file to read, checked before the user is asked for confirmation.
func pathOfExistingFile(_ path: String) throws(CommandFailure) -> String {
    let path = try absolutePath(path)
    var status = stat()
    guard stat(path, &status) == 0 else {
        throw CommandFailure(
            .noInput, "\(path.printable) cannot be read: \(String(cString: strerror(errno))); nothing was changed",
            fix: "Name the file; to list those that autofilld made: autofillctl vault backups")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
        throw CommandFailure(
            .noInput, "\(path.printable) is not a plain file; nothing was changed", fix: "Name the file itself")
    }
    return path
}
