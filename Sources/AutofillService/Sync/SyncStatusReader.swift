// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// Reads the state of sync.
package struct SyncStatusReader {
    private let exchange: SyncExchange

    package init(_ exchange: SyncExchange) { self.exchange = exchange }

    package func status() throws(Unsettled) -> SyncStatus.Answer {
        let vault = try exchange.keeper.unlocked()
        let sync = try sync(of: vault)
        let order = exchange.spool?.carrierOrder
        if let joining = exchange.joining {
            return SyncStatus.Answer(
                state: .joining, location: order?.location, problem: exchange.fault?.text ?? joining.text)
        }
        guard sync.isStarted else { return SyncStatus.Answer(state: .off, problem: exchange.fault?.text) }
        let report = exchange.spool?.carrierReport
        let problem = exchange.fault?.text ?? carrierProblem(order, report)
        let state: SyncStatus.State = sync.isRestored ? .undecided : problem == nil ? .active : .paused
        let devices = sync.devices()
        let note = state == .active ? exchange.findings.text(devices, at: exchange.keeper.clock.now) : nil
        return SyncStatus.Answer(
            state: state, location: order?.location, problem: problem ?? note,
            checked: report.map { Timestamp(milliseconds: Int64($0.checked)).description },
            waiting: report?.waiting ?? 0, restored: restored(report),
            ignored: exchange.ignored > 0 ? exchange.ignored : nil, conflicts: sync.conflicts().count,
            devices: devices.map(SyncDevice.init))
    }

    /// The newest first.
    package func conflicts() throws(Unsettled) -> [AutofillProtocol.SyncConflict] {
        let vault = try exchange.keeper.unlocked()
        return try sync(of: vault).conflicts().reversed().map { conflict throws(Unsettled) in
            let found = try attempting { () throws(VaultError) in
                try vault.readers.credentials.get(conflict.credential)
            }
            return AutofillProtocol.SyncConflict(conflict, found)
        }
    }

    private func sync(of vault: Vault) throws(Unsettled) -> StoredSync {
        try attempting { () throws(VaultError) in try vault.writers.sync }
    }

    /// What the location had lost, for some time.
    private func restored(_ report: CarrierReport?) -> SyncRestored? {
        guard let restored = report?.restored else { return nil }
        let age = exchange.keeper.clock.now.milliseconds - Int64(restored.time)
        return age.magnitude < SyncFindings.statedMilliseconds ? SyncRestored(restored) : nil
    }

    private func carrierProblem(_ order: CarrierOrder?, _ report: CarrierReport?) -> String? {
        guard order != nil else {
            return "What was to be carried is not stated any more: autofillctl sync stop, then join again."
        }
        guard let report else {
            return "autofill-sync has not run yet: systemctl --user status autofill-sync.path autofill-sync"
        }
        guard !isSilent(report) else {
            return "autofill-sync does not run, or what it carries to does not answer: "
                + "systemctl --user status autofill-sync.path autofill-sync; journalctl --user -u autofill-sync"
        }
        return report.problem?.text(report.detail)
    }

    /// Whether the carrier should have reported since, by the time of its report and by what this process has seen while the machine
    /// was awake.
    private func isSilent(_ report: CarrierReport) -> Bool {
        let age = exchange.keeper.clock.now.milliseconds - Int64(report.checked)
        let valid = CarrierReport.validMilliseconds
        return age.magnitude >= valid && exchange.silence >= .milliseconds(valid)
    }
}

extension SyncJoining {
    /// What it waits for, as a sentence.
    fileprivate var text: String {
        switch stage {
        case .invitation: "The invitation has not arrived here yet, or its code is another one."
        case .admission:
            "It waits to be let in by \(inviter ?? "the other machine"): answer the question there."
        }
    }
}
