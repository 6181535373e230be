// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import Settings

/// What is wrong with the vault, as far as it was looked at: what nobody is told nobody mends in time.
extension AutofillBroker {
    /// How many findings the journal is told one by one.
    private static let toldFindings = 20

    /// Takes what the last look at the vault has found, and tells the journal of it.
    func note(_ findings: [VaultFinding]) {
        unsound = findings.count
        for finding in findings.prefix(Self.toldFindings) {
            let concerned = finding.id.map { " \($0)" } ?? ""
            journal.append(
                JournalEvent(
                    level: .error, message: "[AutoFill] Fault: the vault is not sound: \(finding.word)\(concerned)",
                    refusal: Refusal(.vaultUnsound)))
        }
    }

    /// The same in a line for the status; none while nothing is known to be wrong.
    var vaultProblems: [String] {
        guard unsound > 0, case .unlocked = vault.fact else { return [] }
        return [
            "The vault is not sound (findings: \(unsound)). \(Refusal(.vaultUnsound).fix)"
        ]
    }
}
