// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService

extension PageRequest {
    /// The object or position behind which the page begins; nil for the first page.
    func after<Position: LosslessStringConvertible>() throws(Unsettled) -> Position? {
        guard let cursor else { return nil }
        guard let position = Position(cursor) else { throw .invalid("cursor", "the cursor of the page before") }
        return position
    }

    /// How many entries are before the page, in lists whose cursor is that number.
    func offset() throws(Unsettled) -> Int {
        guard let cursor else { return 0 }
        guard let offset = Int(cursor), offset >= 0 else { throw .invalid("cursor", "the cursor of the page before") }
        return offset
    }
}
