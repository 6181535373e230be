// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService

/// The methods `vault.*`, `backup.list` and `slot.*`.
struct VaultMethods: MethodArea {
    let views: VaultViews
    let care: VaultCare
    let apps: AppDirectory
    let events: EventHub
    private let vault: VaultKeeper

    init(_ vault: VaultKeeper, _ care: VaultCare, _ apps: AppDirectory, _ events: EventHub) {
        views = VaultViews(slots: SlotReader(vault))
        self.vault = vault
        self.care = care
        self.apps = apps
        self.events = events
    }

    func effects(for request: RequestContext) -> SlotWriter { SlotWriter(vault, request) }
}

struct VaultViews {
    let slots: SlotReader
}
