// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What an app finds by an id, be it that of the record or an alias.
package struct RecordView: Sendable {
    /// The least id of the group.
    package let id: ObjectID
    /// The other ids under which apps know the record.
    package let aliases: [ObjectID]
    package let isAlive: Bool
    /// Nil, and no site, where only values are left that have none: a removed device's files do not count.
    package let user: String?
    package let sites: [String]
    package let password: Password?
    /// The former passwords, the newest first: each was in use until the one before it in this list, or `password`, was written.
    package let history: [Password]
    package let code: Code?
    package let formerCodes: [Code]
    /// The counter of `code`.
    package let counter: UInt64
    /// The newest value of each other kind, by name.
    package let fields: [String: SyncSecret]

    package struct Password: Sendable {
        package let secret: SyncSecret
        package let site: String
        package let user: String
        /// When, and by which device, it was written.
        package let stamp: Stamp
    }

    package struct Code: Sendable {
        package let uri: SyncSecret
        package let stamp: Stamp
    }

    /// Whether a user sees the same record: all but the counter, the aliases, and when and where values were written.
    package func isSame(as other: RecordView) -> Bool {
        id == other.id && isAlive == other.isAlive && hasSameContent(as: other)
    }

    /// The same, under whatever id, deleted or not.
    package func hasSameContent(as other: RecordView) -> Bool {
        user == other.user && sites == other.sites && fields == other.fields
            && password?.secret == other.password?.secret && code?.uri == other.code?.uri
            && history.map(\.secret) == other.history.map(\.secret)
            && formerCodes.map(\.uri) == other.formerCodes.map(\.uri)
    }
}
