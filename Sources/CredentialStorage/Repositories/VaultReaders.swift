// SPDX-License-Identifier: Apache-2.0

/// What reads the objects of an unlocked vault. None of them can change the vault; all of them throw `locked` after the lock.
package struct VaultReaders {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package var credentials: StoredCredentialReader { StoredCredentialReader(store) }
    package var items: StoredItemReader { StoredItemReader(store) }
    package var offers: StoredOfferReader { StoredOfferReader(store) }
    package var grants: StoredGrantReader { StoredGrantReader(store) }
    package var verifiers: StoredVerifierReader { StoredVerifierReader(store) }
    package var settings: StoredSettingReader { StoredSettingReader(store) }
    package var imports: StoredImportReader { StoredImportReader(store) }
    package var releases: StoredReleaseReader { StoredReleaseReader(store) }
}

/// What changes the objects of an unlocked vault. Every call is one transaction, durable on return.
package struct VaultWriters {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package var credentials: StoredCredentialWriter { StoredCredentialWriter(store) }
    package var items: StoredItemWriter { StoredItemWriter(store) }
    package var offers: StoredOfferWriter { StoredOfferWriter(store) }
    package var grants: StoredGrantWriter { StoredGrantWriter(store) }
    package var verifiers: StoredVerifierWriter { StoredVerifierWriter(store) }
    package var settings: StoredSettingWriter { StoredSettingWriter(store) }
    package var imports: StoredImportWriter { StoredImportWriter(store) }
    package var sync: StoredSync { StoredSync(store) }
}
