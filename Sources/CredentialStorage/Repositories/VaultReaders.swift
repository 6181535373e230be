// SPDX-License-Identifier: Apache-2.0

/// What reads the objects of an unlocked vault. None of them can change the vault; all of them throw `locked` after the lock.
package struct VaultReaders {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package var credentials: CredentialReader { CredentialReader(store) }
    package var items: ItemReader { ItemReader(store) }
    package var offers: OfferReader { OfferReader(store) }
    package var grants: GrantReader { GrantReader(store) }
    package var verifiers: VerifierReader { VerifierReader(store) }
    package var settings: SettingReader { SettingReader(store) }
    package var releases: ReleaseReader { ReleaseReader(store) }
    /// How much is in the vault. Opens nothing.
    package var counts: VaultCounts? { store.counts }
}

/// What changes the objects of an unlocked vault. Every call is one transaction, durable on return.
package struct VaultWriters {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package var credentials: CredentialWriter { CredentialWriter(store) }
    package var items: ItemWriter { ItemWriter(store) }
    package var offers: OfferWriter { OfferWriter(store) }
    package var grants: GrantWriter { GrantWriter(store) }
    package var verifiers: VerifierWriter { VerifierWriter(store) }
    package var settings: SettingWriter { SettingWriter(store) }
}
