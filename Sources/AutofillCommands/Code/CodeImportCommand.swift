// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

struct CodeImportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Sets the one-time codes of many credentials of a site.",
        discussion: """
            Reads otpauth URIs, one per line, and sets each for the credential whose user name is the URI's account.

            Example:
              autofillctl code import shop.example.com --uri-fd 3 3< codes.txt
            """)

    @Argument(help: ArgumentHelp("The site's domain.", valueName: "site"))
    var domain: String

    @Option(
        name: .customLong("uri-fd"),
        help: ArgumentHelp("Read the otpauth URIs from this open descriptor.", valueName: "n"))
    var uriDescriptor: Int32

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        let (session, proof) = try await service.proven(self.proof)
        let text = try HiddenInput.readAll(descriptor: uriDescriptor, limit: 1 << 20)
        let lines = text.withUnsafeBytes { bytes in
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: line.last == 13 ? line.dropLast() : line))
            }
        }
        var (imported, changed) = (0, 0)
        for (index, line) in lines.enumerated() where line.count > 0 {
            do throws(CommandFailure) {
                let answer = try await session.call(
                    CodeSet(service: ServiceIdentifier(domain), uri: line, proof: proof))
                imported += 1
                changed += answer.changed ? 1 : 0
            } catch {
                let message =
                    "Line \(index + 1) was not imported; \(imported.counted("code")) before it \(imported == 1 ? "was" : "were")"
                throw CommandFailure(error.status, [.init(code: nil, message: message, fix: nil)] + error.problems)
            }
        }
        if format.json {
            return console.print { writer in
                writer.member("imported", imported)
                writer.member("changed", changed > 0)
            }
        }
        format.report("\(changed) of \(imported.counted("credential")) changed", console)
    }
}
