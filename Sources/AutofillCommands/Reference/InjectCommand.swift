// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import Glibc
import SecretMemory

struct InjectCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "inject", abstract: "Fills a template with saved passwords and fields.",
        discussion: """
            Reads a template, and prints it with each {{ autofill://SITE/USER/FIELD }} replaced. FIELD is password, user, \
            code, notes, label, or a field of yours; autofill://ID/FIELD names a credential by its id; a slash in a name is \
            written %2F. Each value counts as a release, and is recorded. Best is a pipe: nothing is stored then, and \
            nothing is in an environment.

            Examples:
              autofillctl inject < config.template | program --config /dev/stdin
              autofillctl inject netrc.template | curl --netrc-file /dev/stdin …
            """)

    @Argument(help: "The template; by default standard input.", completion: .file())
    var file: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    private static let limit = 16 << 20

    func perform(_ console: Console) async throws(CommandFailure) {
        let template = try SecretTemplate(try Self.read(file))
        guard template.hasReferences else { return Self.print(template.elements, [:], console) }
        let (session, proof) = try await service.proven(self.proof)
        var values = SecretValues(session, proof: proof, for: "inject: \(file ?? "standard input")")
        var found: [SecretReference: SecretBytes] = [:]
        // All are read before anything is printed.
        for case .reference(let reference) in template.elements {
            found[reference] = try await values.value(of: reference)
        }
        Self.print(template.elements, found, console)
    }

    private static func print(
        _ elements: [SecretTemplate.Element], _ values: [SecretReference: SecretBytes], _ console: Console
    ) {
        for element in elements {
            switch element {
            case .text(let bytes): bytes.withUnsafeBytes { console.print(bytes: $0) }
            case .reference(let reference): values[reference]?.withUnsafeBytes { console.print(bytes: $0) }
            }
        }
    }

    private static func read(_ file: String?) throws(CommandFailure) -> [UInt8] {
        let descriptor = file.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
        defer { if file != nil, descriptor >= 0 { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = descriptor < 0 ? -1 : Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0, descriptor >= 0, errno == EINTR { continue }
            guard count > 0 else {
                throw CommandFailure(
                    .noInput, "The template \(file?.quoted ?? "") cannot be read: \(String(cString: strerror(errno)))",
                    fix: "Name a file, or write it to standard input")
            }
            bytes += buffer[..<count]
        }
        throw CommandFailure(.usage, "The template has more than \(limit) bytes", fix: "Split it")
    }
}
