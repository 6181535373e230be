// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// The carrier's order and report, as values.
extension SyncSpool {
    var carrierOrder: CarrierOrder? { order.flatMap { try? CarrierOrder(line: $0) } }

    var carrierReport: CarrierReport? { report.flatMap { try? CarrierReport(line: $0) } }

    func write(_ order: CarrierOrder) throws(SyncFailure) {
        do throws(VaultError) { try write(order: order.line) } catch { throw .vault(error) }
    }
}
