// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the whole vault; with --repair, repairs it.",
        discussion: """
            Detects and lists flipped bytes, and swapped, missing, duplicated or resurrected records. A repair puts corrupt \
            records into quarantine, and deletes nothing.

            Examples:
              autofillctl vault check
              autofillctl vault check --repair
            """)

    @Flag(help: "Put corrupt records into quarantine, so that the others can be used and changed.")
    var repair = false

    @Flag(help: "With --repair: accept the vault although it may be an older version.")
    var acceptOlder = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        let call = VaultCheck(repairs: repair, acceptsOlder: acceptOlder, proof: proof)
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json { console.print { answer.write(to: &$0) } } else { show(answer, console) }
        // Everything is printed; only the exit status is left.
        if !answer.isIntact { throw CommandFailure(.refused, []) }
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
        console.print(answer.isIntact ? "The vault is intact: \(seen)." : "The vault is corrupt. It has \(seen).")
        if !answer.isIntact, !repair {
            let isOlder = answer.findings.contains { ["rollback", "unmarked"].contains($0.finding) }
            console.print(
                isOlder
                    ? "Fix: \(Refusal(.vaultOlder).fix)"
                    : "Fix: autofillctl vault check --repair, or restore a backup: autofillctl vault backups")
        }
    }
}

extension [FindingReport] {
    /// Prints the findings, and how many more there are.
    func show(of count: Int, _ console: Console) {
        for finding in self {
            let id = finding.id.map { " (\($0))" } ?? ""
            console.print("\(console.styled(finding.finding, .red)): \(finding.text.printable)\(id)")
        }
        if count > self.count { console.print("… and \(count - self.count) more") }
    }
}
