// SPDX-License-Identifier: Apache-2.0

/// An instant: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    package func advanced(byMilliseconds distance: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds + distance)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The years 0 to 9999.
    private static let described: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// RFC 3339 in UTC with three decimals, `2026-11-21T09:30:00.000Z`; outside of the years 0 to 9999 the nearest instant in them. The
    /// calendar arithmetic is Howard Hinnant's `civil_from_days`.
    package var description: String {
        let milliseconds = min(max(milliseconds, Self.described.lowerBound), Self.described.upperBound)
        let days = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let time = milliseconds - days * 86_400_000
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return String(unsafeUninitializedCapacity: 24) { text in
            text.put(UInt32(truncatingIfNeeded: year / 100), at: 0, before: UInt8(ascii: "-"))
            text.put(UInt32(truncatingIfNeeded: year % 100), at: 2, before: UInt8(ascii: "-"))
            text.put(UInt32(truncatingIfNeeded: month), at: 5, before: UInt8(ascii: "-"))
            text.put(UInt32(truncatingIfNeeded: day), at: 8, before: UInt8(ascii: "T"))
            let rest = UInt32(truncatingIfNeeded: time)
            text.put(rest / 3_600_000, at: 11, before: UInt8(ascii: ":"))
            text.put(rest / 60_000 % 60, at: 14, before: UInt8(ascii: ":"))
            text.put(rest / 1000 % 60, at: 17, before: UInt8(ascii: "."))
            text.put(rest % 1000 / 10, at: 20, before: UInt8(ascii: "0"))
            text[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            text[23] = UInt8(ascii: "Z")
            return 24
        }
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes two digits, and the character after them.
    fileprivate func put(_ number: UInt32, at position: Int, before next: UInt8) {
        self[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10 % 10)
        self[position + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
        self[position + 2] = next
    }
}
