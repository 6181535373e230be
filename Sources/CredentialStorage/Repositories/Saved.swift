// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// The result of a save.
package struct Saved: Hashable, Sendable {
    package let id: ObjectID
    package let version: UInt64
    /// There was none before.
    package let isNew: Bool
    /// False where the save changed nothing.
    package let changed: Bool
    /// Of a credential that changed: all its services.
    package var services: [Service] = []
}

extension Saved {
    /// A credential that was added or changed.
    init(_ credential: Credential, isNew: Bool) {
        self.init(
            id: credential.id, version: credential.version, isNew: isNew, changed: true,
            services: credential.services.map(\.service))
    }

    /// A record that was added or changed.
    init(_ record: some VaultRecord, isNew: Bool) {
        self.init(id: record.id, version: record.version, isNew: isNew, changed: true)
    }

    /// A record that stays as it is.
    init(unchanged record: some VaultRecord) {
        self.init(id: record.id, version: record.version, isNew: false, changed: false)
    }
}
