// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Glibc

struct GrantAllowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allows an app to fill the credentials of a domain.",
        usage: """
            autofillctl grant allow <bundle-id> <service> [proof options] [common options]
            autofillctl grant allow <program> [<service>] [the same options]
            autofillctl grant allow --program <path> <service> [the same options]
            """,
        discussion: """
            A program or a script that uses the Secret Service is named by its path, or by its name in this directory or in PATH. \
            Without a service it may then read what it has saved itself. A grant for a script is valid as long as its content is \
            unchanged, one for a program of yours too; one for an installed program, also after updates.

            Examples:
              autofillctl grant allow org.example.Shop shop.example.com
              autofillctl grant allow org.example.Notes org.example.suite/tokens
              autofillctl grant allow ~/bin/backup.sh
              autofillctl grant allow /bin/geary org.freedesktop.secrets/imported
            """)

    @Argument(
        help: ArgumentHelp(
            "The app; or the path, with a slash, or the name of a program or script that uses the Secret Service.",
            valueName: "app"))
    var first: String

    @Argument(
        help: ArgumentHelp(
            "One of its associated domains, or GROUP/NAMESPACE of its keychain items; a browser's https://example.com; or the string "
                + "that a credential helper received, as url:TEXT. Of a program: org.freedesktop.secrets/ITEM, or /imported for "
                + "all imported items; by default what it has saved itself.", valueName: "service"))
    var second: String?

    @Option(
        help: ArgumentHelp(
            "The path of a program that uses the Secret Service; then only the service is named besides.",
            valueName: "path"))
    var program: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if program != nil, second != nil { throw ValidationError("Name a bundle ID or a program, not both.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let (grantee, target) = try named()
        let answer = try await service.call(proof) { GrantAllow(grantee, target, proof: $0) }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("Allowed: \(program ?? first), \(target.text)", console)
        for grant in answer.grants where grant.executable.isEmpty {
            console.print(
                "note: ",
                hanging:
                    "the grant covers every program of yours that connects as \(grant.bundleID): no root-owned registration names its executable"
            )
            break
        }
        if case .program(let path) = grantee {
            let what =
                target == .keychain(.own)
                ? "all secrets that it has saved itself, those to come too" : "what is named \(target.text)"
            let limit =
                answer.grants.contains { $0.executable.contains("#") } ? ", as long as its content is unchanged" : ""
            console.print(
                "\(path.printable) may read \(what)\(limit).\nTo undo: autofillctl grant list, then grant revoke")
        }
    }

    /// Who is allowed what. No bundle ID contains a slash, and one alone is no grant.
    private func named() throws(CommandFailure) -> (GrantAllow.Grantee, GrantTarget) {
        if let program { return (.program(path: try Self.path(program)), try GrantTarget(argument: first)) }
        if let second, !first.contains("/") {
            return (.app(bundleID: try BundleIdentifier(argument: first).text), try GrantTarget(argument: second))
        }
        let target = try second.map { text throws(CommandFailure) in try GrantTarget(argument: text) }
        return (.program(path: try Self.path(first)), target ?? .keychain(.own))
    }

    /// The file of a program, without links: at that path, or of that name in this directory or in PATH.
    private static func path(_ name: String) throws(CommandFailure) -> String {
        let candidates = name.contains("/") ? [name] : ["./\(name)", ProcessEnvironment.current.program(name) ?? name]
        for candidate in candidates {
            guard let path = realpath(candidate, nil) else { continue }
            defer { free(path) }
            return String(cString: path)
        }
        throw CommandFailure(
            .noInput, "There is no program \(name.quoted)",
            fix: "Give its path, or name the service as well if it is an app: autofillctl grant allow APP SERVICE")
    }
}
