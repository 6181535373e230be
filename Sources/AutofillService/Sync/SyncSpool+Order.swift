// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import SyncMerge

/// The carrier's order and report, as values.
extension SyncSpool {
    var carrierOrder: CarrierOrder? { order.flatMap { try? CarrierOrder(line: $0) } }

    var carrierReport: CarrierReport? { report.flatMap { try? CarrierReport(line: $0) } }

    func write(_ order: CarrierOrder) throws(SyncFailure) {
        do throws(VaultError) { try write(order: order.line) } catch { throw .vault(error) }
    }

    /// Has the carrier carry for the present id of this machine: under a former one it removes from the folder what the spool has no
    /// more of it, and what is settled of a copy.
    func renewOrder(for device: DeviceID?) throws(SyncFailure) {
        guard let order = carrierOrder, let device = device?.hexadecimal, order.device != device else { return }
        try write(CarrierOrder(location: order.location, group: order.group, device: device))
    }

    /// Writes an order for a git remote again: the carrier makes a round, and fetches what others have pushed. Changes of a
    /// folder it notices itself.
    func repeatGitOrder() {
        guard let line = order, case .git = carrierOrder?.location else { return }
        // Where that is not possible it fetches within five minutes.
        try? write(order: line)
    }
}
