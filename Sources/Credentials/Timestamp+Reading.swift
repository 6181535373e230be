// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
    /// Reads what `description` writes, and nothing else: RFC 3339 in UTC with three decimals. nil for another text, and for a day that
    /// no calendar has. The calendar arithmetic is Howard Hinnant's `days_from_civil`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        func number(_ offset: Int, _ digits: Int) -> Int64? {
            bytes[offset..<offset + digits].reduce(0) { sum, byte in
                (0x30...0x39).contains(byte) ? sum.map { $0 * 10 + Int64(byte - 0x30) } : nil
            }
        }
        guard bytes.count == 24, let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
            let millisecond = number(20, 3), (1...12).contains(month), hour < 24, minute < 60, second < 60
        else { return nil }
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        self.init(milliseconds: (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + millisecond)
        // A day too many is another day's name.
        guard description.utf8.elementsEqual(bytes) else { return nil }
    }
}
