// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Converts a time on the daemon's wire for the Secret Service API.
package enum WireInstant {
    /// Seconds since 1970 of `2026-11-21T09:30:00.000Z` (RFC 3339, UTC); 0 if the text is not valid, or the time is
    /// earlier.
    package static func seconds(_ text: String?) -> UInt64 {
        guard let text, text.utf8.count >= 20 else { return 0 }
        let bytes = Array(text.utf8)
        guard bytes[4] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), (1...12).contains(month)
        else { return 0 }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (year - 1900, month - 1, day)
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (hour, minute, second)
        return UInt64(max(0, timegm(&fields)))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int32? {
        var number: Int32 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int32(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
