// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct HealthCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Lists the saved passwords that should be changed.",
        discussion: """
            A password is listed if it is used at several sites, is weak, breaks the rules of its site, or has no one-time \
            code where the site has them. The daemon finds this out; no password leaves it, and nothing is sent over the \
            network.

            --breaches names a copy of the list of haveibeenpwned.com/Passwords: the file sorted by SHA-1 hash, or the \
            directory of its ranges. The program haveibeenpwned-downloader loads either.

            Exit status 1: a password is listed.

            Examples:
              autofillctl health
              autofillctl health --breaches ~/pwned-passwords.txt --old 1095
            """)

    @Option(help: "A list of breached passwords, a file or directory.", completion: .file())
    var breaches: String?

    @Option(help: "Also list passwords that were not changed for so many days.")
    var old = 0

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let list: String? = if let breaches { try absolutePath(breaches) } else { nil }
        let (session, proof) = try await service.proven(self.proof)
        let call = VaultAssess(breaches: list, oldDays: old, proof: proof)
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json {
            console.print { answer.write(to: &$0) }
        } else {
            for line in lines(answer, console) { console.print(line) }
        }
        // Everything is printed; only the exit status is left.
        if answer.found > 0 { throw CommandFailure(.refused, []) }
    }

    /// The lines that it prints, within the terminal's width.
    func lines(_ answer: VaultAssess.Answer, _ console: Console) -> [String] {
        var lines: [String] = []
        for password in answer.passwords {
            lines.append("\(console.styled(password.service.value.printable, .bold)) (\(password.user.printable))")
            for problem in password.problems {
                lines += console.hanging(
                    "  \(console.styled(problem.problem, .red)): ", problem.text.printable,
                    indent: problem.problem.columns + 4)
            }
            if let address = password.changePassword {
                lines += console.hanging("  Change it: ", address.printable)
            }
        }
        if answer.found > answer.passwords.count {
            lines.append("… and \((answer.found - answer.passwords.count).counted("password")) more")
        }
        let counts = answer.counts.map { "\($0.count) \($0.problem)" }.joined(separator: ", ")
        let assessed = answer.assessed.counted("password")
        let summary =
            answer.found == 0 ? "Nothing is wrong with \(assessed)." : "\(answer.found) of \(assessed): \(counts)."
        lines += console.hanging("", summary)
        var unchecked: [String] = []
        if breaches == nil { unchecked.append("breached (see --breaches)") }
        if !answer.estimates { unchecked.append("weak (autofilld was built without libzxcvbn)") }
        if !answer.siteRules { unchecked.append("invalid (see autofillctl quirks import)") }
        if !unchecked.isEmpty {
            lines += console.hanging("Not checked: ", "\(unchecked.joined(separator: ", ")).")
        }
        return lines
    }
}
