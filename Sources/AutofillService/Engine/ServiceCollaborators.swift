// SPDX-License-Identifier: Apache-2.0

/// What the service knows and stores. Made once, for the initialisers of the areas: no method has it.
package struct ServiceStores {
    package let environment: ServiceContext
    package let settings: SettingsInForce
    package let apps: AppDirectory
    package let vault: VaultKeeper
    package let associations: SiteAssociations
    package let events: EventHub
    package let audit: Audit
    package let sessions: SessionList
}

/// What decides about requests, and what they wait for. Made once, for the initialisers of the areas: no method has it.
package struct RequestServices {
    package let access: Access
    package let care: VaultCare
    package let consents: ConsentRecorder
    package let terminals: TerminalProofs
    package let generators: PasswordGenerators
    package let quotas: Quotas
    package let attachment: PrompterAttachment
    package let sync: SyncMembership
}
