// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Glibc
import SecretMemory

struct CodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "One-time codes: gets one, gives them to a credential, takes them elsewhere.",
        discussion: """
            Example:
              autofillctl code get shop.example.com
            """,
        subcommands: [
            CodeGetCommand.self, CodeSetCommand.self, CodeImportCommand.self, CodeExportCommand.self,
            CodeDeleteCommand.self,
        ])
}

struct CodeGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the one-time code of now.",
        discussion: """
            A code that goes by a counter is a new one each time. It counts as a release, and is put on record.

            Examples:
              autofillctl code get shop.example.com
              autofillctl code get shop.example.com jo@example.com | wl-copy -n
            """)

    @Argument(help: "The site.")
    var domain: String

    @Argument(help: "The user name; the one that was used last where it is left out.")
    var user: String?

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            CodeGet(service: ServiceIdentifier(domain), user: user, proof: try proof.proof()))
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.code).printable)
        if console.isTerminal, let end = answer.validUntil { console.print("valid until \(end)") }
    }
}

struct CodeSetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Gives a saved credential its one-time codes.",
        discussion: """
            The otpauth URI, which a site shows as a square of dots, is asked for on the terminal, or read from --uri-fd.

            Examples:
              autofillctl code set shop.example.com jo@example.com
              zbarimg --quiet --raw code.png | autofillctl code set shop.example.com jo --uri-fd 0 --key-file vault.key
            """)

    @Argument(help: "The site.")
    var domain: String

    @Argument(help: "The user name of the credential; the account that the URI names where it is left out.")
    var user: String?

    @Option(
        name: .customLong("uri-fd"),
        help: ArgumentHelp("Read the otpauth URI from this open descriptor; its first line.", valueName: "n"))
    var uriDescriptor: Int32?

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let proof = try proof.proof()
        let answer = try await session.call(
            CodeSet(service: ServiceIdentifier(domain), user: user, uri: try uri(), proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("set before, the same: \(answer.credential)") }
    }

    private func uri() throws(CommandFailure) -> SecretBytes {
        if let uriDescriptor { return try HiddenInput.read(descriptor: uriDescriptor, limit: Limits.codeURIBytes) }
        return try HiddenInput.ask("otpauth URI: ", limit: Limits.codeURIBytes, elsewhere: "Add --uri-fd N")
    }
}

struct CodeImportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Gives many credentials of a site their one-time codes.",
        discussion: """
            Reads otpauth URIs, one a line, and gives each to the credential whose user name is the URI's account.

            Example:
              autofillctl code import shop.example.com --uri-fd 3 3< codes.txt
            """)

    @Argument(help: "The site.")
    var domain: String

    @Option(
        name: .customLong("uri-fd"),
        help: ArgumentHelp("Read the otpauth URIs from this open descriptor.", valueName: "n"))
    var uriDescriptor: Int32

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let proof = try proof.proof()
        let text = try HiddenInput.readAll(descriptor: uriDescriptor, limit: 1 << 20)
        let lines = text.withUnsafeBytes { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).map { line in
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: line.last == 13 ? line.dropLast() : line))
            }
        }
        var changed = 0
        for (index, line) in lines.enumerated() {
            do throws(CommandFailure) {
                let answer = try await session.call(
                    CodeSet(service: ServiceIdentifier(domain), uri: line, proof: proof))
                changed += answer.changed ? 1 : 0
            } catch {
                let place = "Line \(index + 1) was not taken; the \(index) before it were"
                throw CommandFailure(error.status, [.init(code: nil, message: place, fix: nil)] + error.problems)
            }
        }
        if format.json { return console.print { $0.member("changed", changed) } }
        console.print("\(changed) of \(lines.count) credentials changed")
    }
}

struct CodeExportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints the otpauth URI of a credential: whoever has it makes its codes.",
        discussion: """
            It counts as a release, and is put on record.

            Example:
              autofillctl code export shop.example.com jo@example.com > uri
            """)

    @Argument(help: "The site.")
    var domain: String

    @Argument(help: "The user name.")
    var user: String

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        let answer = try await session.call(
            CodeExport(service: ServiceIdentifier(domain), user: user, proof: try proof.proof()))
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(String(answer.uri).printable)
    }
}

struct CodeDeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Takes the one-time codes from a credential.",
        discussion: """
            Example:
              autofillctl code delete shop.example.com jo@example.com
            """)

    @Argument(help: "The site.")
    var domain: String

    @Argument(help: "The user name.")
    var user: String

    @Flag(help: "Do not ask before. The passphrase or key is needed all the same.")
    var yes = false

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let session = try await service.sessionWithOpenVault()
        try confirm("Delete the one-time codes of \(user.printable)?", unless: yes)
        let answer = try await session.call(
            CodeDelete(service: ServiceIdentifier(domain), user: user, proof: try proof.proof()))
        if format.json { console.print { answer.write(to: &$0) } }
    }
}
