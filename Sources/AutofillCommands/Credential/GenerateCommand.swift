// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import ConfigurationFiles
import Glibc
import PasswordRules
import RulesPlayground
import SecretMemory
import SiteKnowledge

struct GenerateCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Generates a strong password for a site, and saves it.",
        // With so many options ArgumentParser's usage line lists none of them.
        usage: """
            autofillctl generate <site> [<user>] [--rules <rules>] [--length <n>] [--style <style>] [--copy] \
            [--seconds <n>] [--yes] [--data-directory <dir>] [proof options] [common options]
            """,
        discussion: """
            The password meets the recorded rules of the site (autofillctl quirks), or those of --rules; without rules it \
            has Apple's form xxxxxx-xxxxxx-xxxxxx. It is saved before it is shown, so it cannot be lost. An existing \
            password of the user is replaced only after confirmation, and kept as a former one. If standard output is \
            no terminal, only the password is printed.

            Examples:
              autofillctl generate shop.example.com jo@example.com --copy
              autofillctl generate shop.example.com jo --rules 'required: digit'
              autofillctl generate shop.example.com jo --length 24 --key-file vault.key
            """)

    @OptionGroup var credential: CredentialArguments

    @Option(help: "The site's password rules, instead of the recorded ones.")
    var rules: String?

    @Option(help: ArgumentHelp("The exact length, in characters.", valueName: "n"))
    var length: Int?

    @Option(help: "The style; by default that of the settings.")
    var style: PasswordGenerator.Style?

    @OptionGroup var clipboard: ClipboardOptions

    @Flag(help: "Replace an existing password without confirmation.")
    var yes = false

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if let length, !(1...Limits.passwordBytes).contains(length) {
            throw ValidationError("--length is 1 to \(Limits.passwordBytes).")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let clipboard = try clipboard.clipboard()
        let given = try rules.map { text throws(CommandFailure) in try PasswordRules.Parsed(argument: text) }
        let (session, proof) = try await service.proven(self.proof)
        let (site, user) = try await credential.targetToSave(session, proof)
        let domain = site.type == "domain" ? try DomainName(argument: site.value) : nil
        let found: (descriptor: String, of: String)? =
            if given == nil, let domain { try publicRules(of: domain) } else { nil }
        let parsed = if let given { given } else { try PasswordRules.Parsed(argument: found?.descriptor ?? "") }
        let generator = try PasswordGenerator(parsed.rules, try await options(session))
        let saved = try await session.allCredentials(for: domain, with: proof)
        if saved.contains(where: { $0.user == user && (domain != nil || $0.service == site) }) {
            try confirm(
                "\(user.printable) has a password at \(site.value.printable). Replace it? The old one is kept.",
                unless: yes)
        }
        var entropy = SystemEntropy()
        let password = SecretBytes(count: generator.length) { generator.draw(into: $0, using: &entropy) }
        let answer = try await session.call(
            CredentialSave(service: site, user: user, password: password, proof: proof))
        let made = Made(
            credential: answer.credential, domain: site.value, user: user, password: password, generator: generator,
            rules: parsed.rules, rulesOf: found?.of)
        if !format.json {
            console.warn(of: parsed.diagnostics)
            for note in generator.notes where style == .readable || !note.isAboutStyle {
                console.printError("autofillctl: \(note.message)")
            }
        }
        guard let clipboard else { return made.show(format.json, revealing: true, console) }
        made.show(format.json, revealing: false, console)
        try self.clipboard.hold(password, of: user, in: clipboard, format.json, console)
    }

    /// The public rules of the site, as the service reads them.
    private func publicRules(of domain: DomainName) throws(CommandFailure) -> (descriptor: String, of: String)? {
        let file = SiteKnowledgeFile(try knowledge.path(), userID: geteuid())
        if let problem = file.problem { throw CommandFailure(problem) }
        return file.sites.passwordRules(for: domain)
    }

    /// The style and the strength; by default those of the settings.
    private func options(_ session: AutofillSession) async throws(CommandFailure) -> PasswordGenerator.Options {
        let bits = try await session.call(SettingGet(setting: "strongPasswordBits")).value.text
        var options = PasswordGenerator.Options(style: style ?? .readable, length: length)
        if let bits = Double(bits) { options.targetBits = bits }
        if style == nil, try await session.call(SettingGet(setting: "strongPasswordStyle")).value.text == "random" {
            options.style = .random
        }
        return options
    }

    /// A password that is already in the vault.
    private struct Made {
        let credential: String
        let domain: String
        let user: String
        let password: SecretBytes
        let generator: PasswordGenerator
        let rules: PasswordRules
        /// The domain that the rules are recorded for.
        let rulesOf: String?

        func show(_ asJSON: Bool, revealing: Bool, _ console: Console) {
            if asJSON { return console.print { write(to: &$0, revealing: revealing) } }
            let text = String(password)
            guard console.isTerminal else { return revealing ? console.print(text) : () }
            console.print("user      \(user.printable)")
            console.print("password  \(revealing ? console.styled(text, .bold) : "copied")")
            console.print("domain    \(domain)")
            console.print("strength  \(RulesText.bits(generator.bits)) bits, \(generator.length) characters")
            let descriptor = rules.description
            if !descriptor.isEmpty {
                console.print("rules     \(descriptor)" + (rulesOf.map { " (of \($0))" } ?? ""))
            }
            console.print("id        \(credential)")
        }

        private func write(to writer: inout JSONWriter, revealing: Bool) {
            writer.member("credential", credential)
            writer.member("domain", domain)
            writer.member("user", user)
            if revealing { writer.member("password", password) }
            writer.member("length", generator.length)
            RulesJSON.write(bits: generator.count.bits, to: &writer)
            writer.member("format", generator.format.rawValue)
            writer.member("rules", rules.description)
            writer.member("rulesOf", orNull: rulesOf)
        }
    }
}
