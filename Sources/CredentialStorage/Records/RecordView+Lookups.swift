// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Records by the tags that they have in common.
extension RecordView {
    /// The ids of all records that have a tag, in their order.
    func ids(with tag: SealTag) throws(VaultError) -> [ObjectID] {
        guard let table = statements.lookups else { return [] }
        return try table.ids.all(.bytes(tag.bytes)) { row throws(VaultError) -> ObjectID in
            guard let id = ObjectID(stored: row.bytes(0)) else { throw .damaged("look-up of no record") }
            return id
        }
    }

    /// The ids of the records that have all of these tags, of which there is at least one, in their order after `cursor`.
    ///
    /// Each query continues at the next id of one tag that is not before the candidate of the others: never more queries for a tag
    /// than the rarest tag has rows, however many the others have.
    ///
    /// - Parameter most: the number of queries. After so many the page ends, and another one follows.
    func ids(
        withAll tags: [SealTag], after cursor: ObjectID? = nil, limit: Int, queries most: Int = Lookup.most
    ) throws(VaultError) -> VaultPage<ObjectID, ObjectID> {
        var found: [ObjectID] = []
        guard let table = statements.lookups, !tags.isEmpty, limit > 0 else {
            return VaultPage(elements: found, next: nil)
        }
        // All before `position` is settled; so many tags in a row have `candidate`.
        var (candidate, agreeing): (ObjectID?, Int) = (nil, 0)
        var position = cursor.map(Lookup.after) ?? []
        var settled = cursor
        var queries = 0
        while queries < most {
            let row = try table.next.first(.bytes(tags[queries % tags.count].bytes), .bytes(position)) {
                row throws(VaultError) in ObjectID(stored: row.bytes(0))
            }
            queries += 1
            guard let row else { return VaultPage(elements: found, next: nil) }
            guard let id = row else { throw .damaged("look-up of no record") }
            if id != candidate {
                settled = candidate ?? settled
                (candidate, agreeing, position) = (id, 0, id.stored)
            }
            agreeing += 1
            guard agreeing == tags.count else { continue }
            // One more than `limit` means that a page follows.
            guard found.count < limit else { return VaultPage(elements: found, next: found.last) }
            found.append(id)
            (candidate, agreeing, position, settled) = (nil, 0, Lookup.after(id), id)
        }
        return VaultPage(elements: found, next: settled)
    }
}

/// Limits of look-ups.
enum Lookup {
    /// Queries for one page: some 2 ms.
    static let most = 2000
    /// Queries for one of several access groups at least, so that each continues.
    static let least = 256

    /// The least key after an id's.
    static func after(_ id: ObjectID) -> [UInt8] { id.stored + [0] }
}
