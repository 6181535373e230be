// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

extension PageRequest {
    /// The object behind which the page begins; nil for the first page.
    func after() throws(RefusedRequest) -> ObjectID? {
        guard let cursor else { return nil }
        guard let id = ObjectID(cursor) else { throw .invalid("cursor", "the cursor of the page before") }
        return id
    }

    /// How many entries are before the page, in lists whose cursor says that.
    func offset() throws(RefusedRequest) -> Int {
        guard let cursor else { return 0 }
        guard let place = Int(cursor), place >= 0 else { throw .invalid("cursor", "the cursor of the page before") }
        return place
    }
}
