// SPDX-License-Identifier: Apache-2.0

/// Which table a row is of that was found on a page.
package enum RowShape {
    /// The name of the table; nil for what is of none of a vault's.
    package static func table(of row: PageRow) -> String? {
        let values = row.values
        switch values.count {
        case 8 where values[0].isNull && values[1].isInteger && values[2...].allSatisfy(\.isBytes): return "slot"
        case 7 where values[0].isNull && values[1].isText && values[2].isText: return "quarantine"
        case 5 where values[0].isNull && values[3].isInteger && [1, 2, 4].allSatisfy({ values[$0].isBytes }):
            return "record"
        case 2:
            guard values[0].isNull, case .bytes(let bytes) = values[1] else { return nil }
            let first = bytes.withUnsafeBytes { ReleaseEntry.all(in: $0).first?.sequence }
            return first == UInt64(bitPattern: row.key) ? "release" : "manifest"
        default: return nil
        }
    }

    /// The number of a migration; nil for another row.
    package static func migration(_ row: PageRow) -> UInt8? {
        guard row.values.count == 1, case .text(let name) = row.values[0] else { return nil }
        return UInt8(name)
    }
}

extension SQLStatement.Value {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }
    fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
