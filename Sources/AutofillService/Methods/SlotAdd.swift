// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

extension SlotAdd: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        let derived = try await modules.derive([secret], request)
        guard let slot = derived.slots.first?.named(label) else { throw RefusedRequest(.internalFault) }
        return try await modules.decide(request) { () throws(RefusedRequest) in
            let open = try modules.vault.unlocked()
            let id = try attempting { () throws(VaultError) in try open.slots.add(slot, at: modules.clock.now) }
            let report = SlotReport(slot.kind)
            return Answer(
                slot: Int(id), kind: report.kind, protects: report.protects, recoveryKey: derived.recoveryKey)
        }
    }
}
