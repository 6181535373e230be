// SPDX-License-Identifier: Apache-2.0

/// Times as the files have them, in milliseconds since 1970.
enum InstantText {
    private static let range: ClosedRange<Int64> = 1...253_402_300_799_999

    /// Digits (seconds, or milliseconds from the year 1973 on), or ISO 8601 with a date, `T` or a space, a time, and `Z`
    /// or an offset; nil for anything else, and for a time before 1970 or after the year 9999.
    static func milliseconds(_ text: String) -> Int64? {
        if let number = Int64(text) {
            guard range.contains(number) else { return nil }
            return number < 100_000_000_000 ? number * 1000 : number
        }
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, let year = number(bytes, 0..<4), let month = number(bytes, 5..<7),
            let day = number(bytes, 8..<10), let hour = number(bytes, 11..<13), let minute = number(bytes, 14..<16),
            let second = number(bytes, 17..<19), (1...12).contains(month), (1...31).contains(day), hour < 24,
            minute < 60, second < 61, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[13] == 0x3A, bytes[16] == 0x3A
        else { return nil }
        var index = 19
        var fraction: Int64 = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            var scale: Int64 = 100
            index += 1
            while index < bytes.count, (48...57).contains(bytes[index]) {
                fraction += Int64(bytes[index] - 48) * scale
                scale /= 10
                index += 1
            }
        }
        guard let offset = offset(bytes[index...]) else { return nil }
        let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second
        let milliseconds = seconds * 1000 + fraction
        return range.contains(milliseconds) ? milliseconds : nil
    }

    /// ISO 8601 in UTC, with milliseconds where there are any.
    static func text(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        let (year, month, day) = date(seconds / 86_400)
        let rest = seconds % 86_400
        func padded(_ number: Int64, _ length: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(length - digits.count, 0)) + digits
        }
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        let fraction = milliseconds % 1000 == 0 ? "" : "." + padded(milliseconds % 1000, 3)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time)\(fraction)Z"
    }

    /// Of `Z`, nothing, or `+hh:mm`, in minutes.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let sign = bytes.first, sign != UInt8(ascii: "Z") else { return bytes.count <= 1 ? 0 : nil }
        let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
            let hours = number(digits, 0..<2), let minutes = number(digits, 2..<4)
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        var number: Int64 = 0
        for byte in bytes[range] {
            guard (48...57).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - 48)
        }
        return number
    }

    /// Days since 1970 in the proleptic Gregorian calendar; a year begins in March here, so that a leap day is its last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        var year = (days * 400) / 146_097 + 1970
        while InstantText.days(year + 1, 1, 1) <= days { year += 1 }
        while InstantText.days(year, 1, 1) > days { year -= 1 }
        var month: Int64 = 12
        while InstantText.days(year, month, 1) > days { month -= 1 }
        return (year, month, days - InstantText.days(year, month, 1) + 1)
    }
}
