// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
internal import Reasons

/// Changing and removing slots. What was proven by former secrets ends.
extension VaultCare {
    /// Replaces a slot by one that was derived.
    ///
    /// - Parameter label: nil keeps the former one where the kind is the same.
    package func changeSlot(
        _ id: Slot.ID, to derived: DerivedSlots, label: String?, _ request: RequestContext
    ) async throws(RefusedRequest) -> FormerBackups {
        let (slots, isDrawn, time) = (derived.slots, derived.recoveryKey != nil, clock.now)
        return try await changeSlots(request) { vault throws(VaultError) in
            let all = try vault.slots.list()
            guard let old = all.first(where: { $0.id == id }), var slot = slots.first else { throw .noSuchSlot }
            // Were the answer with the recovery key lost, nothing would open the vault.
            guard !isDrawn || all.contains(where: { $0.id != id && $0.isIntact }) else { throw .lastSlot }
            if let label = label ?? (old.kind == slot.kind ? old.label : nil) { slot.label = label }
            return try vault.slots.change(id, to: slot, at: time)
        }
    }

    package func removeSlot(_ id: Slot.ID, _ request: RequestContext) async throws(RefusedRequest) -> FormerBackups {
        try await changeSlots(request) { vault throws(VaultError) in try vault.slots.remove(id) }
    }

    private func changeSlots(
        _ request: RequestContext, _ body: @escaping @Sendable (Vault) throws(VaultError) -> FormerBackups
    ) async throws(RefusedRequest) -> FormerBackups {
        let former = try await workUnlocked(request, refusing: \.refusalOfSlot, body)
        keeper.notify(.secretsChanged, causedBy: request)
        return former
    }
}

extension VaultError {
    /// The refusal where a slot was named.
    fileprivate var refusalOfSlot: Refusal { self == .noSuchSlot ? Refusal(.slotNotFound) : refusal }
}
