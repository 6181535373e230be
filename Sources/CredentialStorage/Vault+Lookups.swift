// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// Records by what they have in common.
extension Vault {
    /// The ids of the records that have all of these tags, of which there is at least one, in their order behind `cursor`.
    ///
    /// Each look goes on to the next id of one tag that is not before what the others came to: never more looks than the rarest
    /// tag has rows, for each tag, however many the others have.
    ///
    /// - Parameter looks: how often the table is looked at, at most: then a page is shorter, and another one follows.
    func ids(
        withAll tags: [SealTag], after cursor: ObjectID? = nil, limit: Int, looks most: Int = Lookup.most,
        _ statements: VaultStatements
    ) throws(VaultError) -> VaultPage<ObjectID, ObjectID> {
        var found: [ObjectID] = []
        guard let table = statements.lookups, !tags.isEmpty, limit > 0 else {
            return VaultPage(elements: found, next: nil)
        }
        // What is before `position` is settled; of `candidate` so many tags in a row are known.
        var (candidate, agreeing): (ObjectID?, Int) = (nil, 0)
        var position = cursor.map(Lookup.behind) ?? []
        var settled = cursor
        var looks = 0
        while looks < most {
            let row = try table.next.first(.bytes(tags[looks % tags.count].bytes), .bytes(position)) {
                row throws(VaultError) in ObjectID(stored: row.bytes(0))
            }
            looks += 1
            guard let row else { return VaultPage(elements: found, next: nil) }
            guard let id = row else { throw .damaged(part: "look-up of no record") }
            if id != candidate {
                settled = candidate ?? settled
                (candidate, agreeing, position) = (id, 0, id.stored)
            }
            agreeing += 1
            guard agreeing == tags.count else { continue }
            // Whether there is one more than are wanted tells whether a page follows.
            guard found.count < limit else { return VaultPage(elements: found, next: found.last) }
            found.append(id)
            (candidate, agreeing, position, settled) = (nil, 0, Lookup.behind(id), id)
        }
        return VaultPage(elements: found, next: settled)
    }
}

/// Numbers of look-ups.
enum Lookup {
    /// How often the table is looked at for one page: some 2 ms.
    static let most = 2000
    /// And for one of several access groups at least, so that each look goes on.
    static let least = 256

    /// The least key behind an id's.
    static func behind(_ id: ObjectID) -> [UInt8] { id.stored + [0] }
}
