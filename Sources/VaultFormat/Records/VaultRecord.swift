// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// An object that is kept as one sealed row of the table `record`. Kind, id and version are the row's and authenticated with
/// it; all else is in the sealed plain text, which begins with a format number.
package protocol VaultRecord: Sendable {
    static var idKind: ObjectID.Kind { get }

    var id: ObjectID { get }
    var version: UInt64 { get }
    /// Kept in the manifest too, so that a missing record can be named with its time.
    var changed: Timestamp { get }
    /// Which count it belongs to.
    var tally: Tally { get }

    func blindIndex(key: KeyedHash) -> BlindIndex
    /// What else it is found by, possibly with others: see `LookupRows`.
    func lookups(key: KeyedHash) -> [SealTag]
    func write(to writer: inout BinaryWriter)
    /// Reads all fields after the format number; the caller asks the reader whether they were intact.
    init(from reader: inout BinaryReader, id: ObjectID, version: UInt64)
}

extension VaultRecord {
    package func lookups(key: KeyedHash) -> [SealTag] { [] }
}

/// What is counted for `status`; the number is the index in the sealed root of the manifest.
package enum Tally: Int, CaseIterable {
    case credentials, deletedCredentials, pendingOffers, settledOffers, items, verifiers, grants, settings
    case syncEntries
}
