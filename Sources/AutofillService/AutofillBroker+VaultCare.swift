// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Check, repair, backup, restore and rekey: work on the whole vault.
extension AutofillBroker {
    func checkVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        proven(request, client, &writer, VaultCheck.self) { [unowned self] read, writer in
            let (repairs, now) = (read.call.repairs, now)
            guard repairs else {
                return look(read, &writer) { view, progress throws(VaultError) in
                    try view.check(progress)
                } then: { [unowned self] report in
                    note(report.findings)
                    return VaultCheck.Answer(report, found: report.findings, quarantined: 0, replaced: nil)
                }
            }
            return work(read, &writer) { vault, progress throws(VaultError) in
                let repair = try vault.repair(at: now, progress)
                // What was repaired is done: nothing stops the look at it.
                return VaultCheck.Answer(
                    try vault.check(), found: repair.findings, quarantined: repair.quarantined,
                    replaced: repair.replaced)
            } then: { [unowned self] answer in
                if answer.isSound { note([]) }
                if answer.quarantined > 0 { announce(.allCredentialsChanged) }
            }
        }
    }

    func backUpVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        proven(request, client, &writer, VaultBackup.self) { [unowned self] read, writer in
            let path = read.call.path
            return look(read, &writer, refusing: \.refusalOfBackup) { view, progress throws(VaultError) in
                try view.copy(to: path, progress)
            } then: { [unowned self] report throws(RefusedRequest) in
                let open = try vault.unlocked()
                try attempting { () throws(VaultError) in try open.note(backup: path, at: now) }
                note(report.findings)
                return VaultBackup.Answer(path: path, length: report.length, records: report.records ?? 0)
            }
        }
    }

    func listBackups(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        proven(request, client, &writer, BackupList.self) { [unowned self] read, writer in
            // A path may be on a disk that takes its time.
            work(read, &writer) { vault, _ throws(VaultError) in
                BackupList.Answer(
                    backups: try vault.backups().map { backup in
                        BackupEntry(
                            path: backup.path, made: backup.made?.description, length: backup.length,
                            isAutomatic: backup.isAutomatic)
                    })
            }
        }
    }

    /// The proof is the present vault's, where one can be opened; what opens the backup comes besides.
    func restoreVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        switch vault.fact {
        case .unlocked, .locked:
            proven(request, client, &writer, VaultRestore.self) { [unowned self] in
                readBackup($0, isProven: true, &$1)
            }
        case .missing, .unusable(_): reading(request, client, &writer) { readBackup($0, isProven: false, &$1) }
        }
    }

    /// The slots of the backup, then the key of one of them, then the restore.
    private func readBackup(
        _ read: ReadCall<VaultRestore>, isProven: Bool, _ writer: inout JSONWriter
    ) -> Deferred? {
        let (path, secret) = (read.call.path, read.call.secret)
        return borrow(read, &writer, refusing: \.refusalOfRestore) { [unowned self] _ throws(RefusedRequest) in
            try admitOutsideSandbox(read.client)
            return .vault(try lendForRestore(read, isProven)) { vault, _ throws(VaultError) in
                try vault.restoreAttempt(from: path, secret: secret.secret())
            }
        } then: { (attempt: UnlockAttempt, _) in
            Deferred(id: read.id, work: .attempt(attempt)) { [unowned self] derived, writer in
                guard case .outcome(let outcome) = derived else {
                    writer.refuse(read.id, [Refusal(.internalFault)])
                    return nil
                }
                return restore(read, isProven: isProven, with: outcome, &writer)
            }
        }
    }

    /// There may be a vault by now that was not there when the request came: then it is its owner who replaces it.
    private func lendForRestore(_ read: ReadCall<VaultRestore>, _ isProven: Bool) throws(RefusedRequest) -> VaultLoan {
        let loan = try vault.lendForRestore((read.client.id, read.id))
        guard isProven || loan.state == .missing else {
            takeVaultBack()
            throw RefusedRequest(.proofRequired)
        }
        return loan
    }

    private func restore(
        _ read: ReadCall<VaultRestore>, isProven: Bool, with outcome: UnlockOutcome, _ writer: inout JSONWriter
    ) -> Deferred? {
        let (path, now) = (read.call.path, now)
        return borrow(read, &writer, refusing: \.refusalOfRestore) { [unowned self] _ throws(RefusedRequest) in
            .vault(try lendForRestore(read, isProven)) { vault, progress throws(VaultError) in
                try vault.restore(from: path, with: outcome, at: now, progress)
            }
        } then: { [unowned self] (report: RestoreReport, writer) in
            finish(read.id, read.call, read.client, read.warnings, &writer) {
                [unowned self] _, _ throws(RefusedRequest) in
                vaultWasUnlocked()
                announce(.allCredentialsChanged)
                lockIfShut()
                return VaultRestore.Answer(records: report.records, replaced: report.replaced)
            }
            return nil
        }
    }

    func rekeyVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        proven(request, client, &writer, VaultRekey.self) { [unowned self] read, writer in
            guard read.call.secrets.contains(where: { !$0.isDrawn }) else {
                // Were the answer lost, nothing would open the vault.
                let fault = RefusedRequest.invalid("recoveryKey", "given with passphrase or key")
                refuse(read.id, fault, .vaultRekey, client, &writer)
                return nil
            }
            return derive(read.call.secrets, for: read, &writer) { [unowned self] slots, recoveryKey, writer in
                let now = now
                return work(read, &writer, refusing: \.refusalOfRekey) { vault, progress throws(VaultError) in
                    let stale = try vault.rekey(slots, at: now, progress)
                    return VaultRekey.Answer(
                        slots: slots.map { SlotReport($0.kind) }, backups: stale, recoveryKey: recoveryKey)
                }
            }
        }
    }
}

extension VaultError {
    /// A vault that is not sound is mended before it is sealed anew.
    fileprivate var refusalOfRekey: Refusal {
        if case .damaged = self { Refusal(.vaultUnsound) } else { refusal }
    }
}

extension VaultCheck.Answer {
    fileprivate init(_ report: CheckReport, found: [VaultFinding], quarantined: Int, replaced: String?) {
        self.init(
            isSound: report.isSound, records: report.records, releases: report.releases,
            findings: found.prefix(Limits.listLimit).map(FindingReport.init), findingCount: found.count,
            quarantined: quarantined, replaced: replaced)
    }
}

extension FindingReport {
    fileprivate init(_ finding: VaultFinding) {
        let text =
            switch finding {
            case .altered: "The record was altered, or another was put in its place"
            case .older(_, let found, let expected): "Version \(found) of the record was put back for \(expected)"
            case .missing(_, let changed): "The record is gone; it was last changed at \(changed)"
            case .unpinned: "Nothing says any more whether this is the newest version of the record"
            case .unexpected: "A record is there that was removed, or never was one of this vault"
            case .duplicate: "The manifest has the record twice"
            case .slotAltered(let slot): "Slot \(slot) was altered; it may open no more"
            case .slotsChanged: "A slot was added, removed or exchanged outside autofilld"
            case .releases(let first, let last):
                "Entries \(first) to \(last) of the record of releases cannot be read or are gone"
            case .damaged(let part): "A part of the file is damaged: \(part)"
            }
        self.init(finding: finding.word, text: text, id: finding.id?.description)
    }
}
