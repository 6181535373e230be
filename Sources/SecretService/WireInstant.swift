// SPDX-License-Identifier: Apache-2.0

/// An instant of the daemon's wire as the Secret Service has it.
package enum WireInstant {
    /// Seconds since 1970 of `2026-11-21T09:30:00.000Z` (RFC 3339, UTC); 0 for what is no such text, or is before that. The calendar
    /// arithmetic is Howard Hinnant's `days_from_civil`.
    package static func seconds(_ text: String?) -> UInt64 {
        guard let text, text.utf8.count >= 20 else { return 0 }
        let bytes = Array(text.utf8)
        guard bytes[4] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), (1...12).contains(month)
        else { return 0 }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return UInt64(max(0, days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
