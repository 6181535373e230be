// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

/// The ways to open the vault.
extension SlotList: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let open = try modules.vault.unlocked()
        let slots = try attempting { () throws(VaultError) in try open.slots.list() }
        return Answer(slots: slots.map(SlotEntry.init))
    }
}
