// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Looks at the whole vault; with --repair, mends it.",
        discussion: """
            A flipped byte, a swapped, missing, duplicated or resurrected record is found and named. A repair takes what \
            is not sound out of use, and deletes nothing.

            Examples:
              autofillctl vault check
              autofillctl vault check --repair
            """)

    @Flag(help: "Put what is not sound into quarantine, so that the rest can be used and changed.")
    var repair = false

    @Flag(help: "With --repair: take the vault as it is, though it may be an older one.")
    var acceptOlder = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let call = VaultCheck(repairs: repair, acceptsOlder: acceptOlder, proof: try await proof.proof(session))
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json { console.print { answer.write(to: &$0) } } else { show(answer, console) }
        // Everything has been said; the exit status says it once more.
        if !answer.isSound { throw CommandFailure(.refused, []) }
    }

    private func show(_ answer: VaultCheck.Answer, _ console: Console) {
        answer.findings.show(of: answer.findingCount, console)
        if let replaced = answer.replaced { console.print("The damaged file is kept: \(replaced.printable)") }
        if answer.quarantined > 0 {
            let rows = answer.quarantined.counted("row was", "rows were")
            console.print("\(rows) put into quarantine.")
        }
        let entries = answer.releases.counted("entry", "entries")
        let seen = "\(answer.records.counted("record")), \(entries) of the record of releases"
        console.print(answer.isSound ? "The vault is sound: \(seen)." : "The vault is not sound. It has \(seen).")
        if !answer.isSound, !repair {
            let isOlder = answer.findings.contains { ["rollback", "unmarked"].contains($0.finding) }
            console.print(
                isOlder
                    ? "Fix: \(Refusal(.vaultOlder).fix)"
                    : "Fix: autofillctl vault check --repair, or restore a backup: autofillctl vault backups")
        }
    }
}

extension [FindingReport] {
    /// Prints what was found, and how much more of it there is.
    func show(of count: Int, _ console: Console) {
        for finding in self {
            let id = finding.id.map { " (\($0))" } ?? ""
            console.print("\(console.styled(finding.finding, .red)): \(finding.text.printable)\(id)")
        }
        if count > self.count { console.print("… and \(count - self.count) more") }
    }
}
