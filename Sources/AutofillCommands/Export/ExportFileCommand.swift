// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Glibc
import SecretMemory

struct ExportFileCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Writes what is saved to a file for another program.",
        // With so many options ArgumentParser's usage line lists none of them.
        usage: """
            autofillctl export file <file> [--format <format>] [--only <site>] [--file-password-fd <n>] [--force] [--yes] \
            [proof options] [common options]
            """,
        discussion: """
            Formats: chrome and apple (CSV), bitwarden (JSON), bitwarden-protected, kdbx (KeePass), cxf (Credential \
            Exchange Format). Without --format the name decides: .csv is chrome, .json bitwarden, .kdbx and .cxf \
            themselves. bitwarden-protected and kdbx are encrypted with a password that is asked for; the others are \
            plain text, the only decrypted data that autofilld ever puts on a disk.

            The file has mode 0600, and its name only when it is whole. What the format has no place for is listed by \
            title; autofillctl import reads each format again. Passwords of git, docker and cargo are in it as those of \
            websites. Deleted credentials and keychain items are not exported. Each exported credential is a recorded \
            release: autofillctl log. autofillctl export FILE is the same command.

            Examples:
              autofillctl export passwords.kdbx
              autofillctl export passwords.csv --format apple
              autofillctl export shop.json --only shop.example.com
            """)

    @Argument(help: "The file.") var file: String
    @Option(
        name: .customLong("format"),
        help: ArgumentHelp("The format; by default from the name of the file.", valueName: "format"))
    var fileFormat: ExportFileFormat?
    @Option(help: ArgumentHelp("Only what is saved for this domain and the names below it.", valueName: "site"))
    var only: String?
    @Option(
        name: .customLong("file-password-fd"),
        help: ArgumentHelp("The file's password: first line of descriptor n.", valueName: "n"))
    var passwordDescriptor: Int32?
    @Flag(help: "Replace a file of that name.") var force = false
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        // A converter that has ended is reported by its status.
        signal(SIGPIPE, SIG_IGN)
        let path = try absolutePath(file)
        let kind = try kind()
        let only = try only.map { site throws(CommandFailure) in try DomainName(argument: site) }
        try NewFile.check(path, replacing: force)
        let converter = try ConverterProgram()
        let session = try await service.sessionWithVault(reconnects: false)
        if !kind.isProtected {
            try confirm("Write passwords in plain text to \(file.printable)?", unless: yes)
        }
        let proof = try await proof.secret(session)
        let password = try password(kind)
        let new = try NewFile(path)
        try new.catchInterruptions()
        if !kind.isProtected, new.isReadableByOthers {
            throw CommandFailure(
                .system, "Other users could read \(file.printable): its file system has no modes",
                fix: "Choose another directory, or --format kdbx")
        }
        _ = try await session.call(ExportBegin(only: only.map(ServiceIdentifier.init), proof: proof))
        var count = 0
        let missing = try await converter.write(kind.converted, password, into: new.descriptor) {
            descriptor async throws(CommandFailure) in
            count = try await send(session, to: descriptor, format.json ? nil : console)
        }
        try new.publish(replacing: force)
        report(count, kind, missing, path, console)
    }

    private func kind() throws(CommandFailure) -> ExportFileFormat {
        guard let kind = fileFormat ?? ExportFileFormat(path: file) else {
            throw CommandFailure(
                .usage, "The name \(file.printable) does not show the format",
                fix: "Add --format \(ExportFileFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if passwordDescriptor != nil, !kind.isProtected {
            throw CommandFailure(
                .usage, "The format \(kind.rawValue) has no password", fix: "Choose bitwarden-protected or kdbx")
        }
        return kind
    }

    private func password(_ kind: ExportFileFormat) throws(CommandFailure) -> SecretBytes? {
        guard kind.isProtected else { return nil }
        if let passwordDescriptor {
            return try HiddenInput.read(descriptor: passwordDescriptor, limit: Limits.passphraseBytes)
        }
        return try HiddenInput.askTwice(
            "New password of \(file.printable): ", limit: Limits.passphraseBytes, elsewhere: "Add --file-password-fd N")
    }

    /// Passes the pages of the daemon on; how many entries they have.
    private func send(
        _ session: AutofillSession, to descriptor: Int32, _ console: Console?
    ) async throws(CommandFailure) -> Int {
        var sink = try RecordSink(descriptor)
        try await session.readExport(showingProgressOn: console) { entries throws(CommandFailure) in
            try sink.add(entries)
        }
        try sink.end()
        return sink.count
    }

    private func report(
        _ count: Int, _ kind: ExportFileFormat, _ missing: [NotImported], _ path: String, _ console: Console
    ) {
        if format.json {
            return console.print { writer in
                writer.member("file", path)
                writer.member("format", kind.rawValue)
                writer.member("encrypted", kind.isProtected)
                writer.member("exported", Int64(count))
                missing.write(as: "notExported", to: &writer)
            }
        }
        missing.show(under: "NOT IN THIS FORMAT", limit: .max, console)
        let end = kind.isProtected ? ", encrypted." : "."
        console.print("\(count.counted("entry", "entries")) written to \(path.printable)\(end)")
        guard !kind.isProtected else { return }
        console.print(
            "", hanging: "The file is plain text, the only decrypted data of autofilld on a disk. Delete it soon.")
    }
}
