// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A time in the log: milliseconds since 1970, UTC.
struct LogTime: Hashable, Comparable, Sendable {
    let milliseconds: Int64

    static func < (one: LogTime, other: LogTime) -> Bool { one.milliseconds < other.milliseconds }

    /// As on the wire: RFC 3339 in UTC with three decimals.
    var text: String {
        var seconds = time_t(milliseconds / 1000)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(fields.tm_year + 1900, 4))-\(digits(fields.tm_mon + 1, 2))-\(digits(fields.tm_mday, 2))"
            + "T\(digits(fields.tm_hour, 2)):\(digits(fields.tm_min, 2)):\(digits(fields.tm_sec, 2))"
            + ".\(digits(milliseconds % 1000, 3))Z"
    }

    /// Parses a time of the wire (`2026-11-21T09:30:00.000Z`, the time without decimals, or the day alone); nil for
    /// anything else.
    init?(_ text: String) {
        let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        guard let match = whole.wholeMatch(of: #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?Z/#) else {
            return nil
        }
        func number(_ digits: Substring) -> Int32 { Int32(digits) ?? 0 }
        var fields = tm()
        fields.tm_year = number(match.1) - 1900
        fields.tm_mon = number(match.2) - 1
        fields.tm_mday = number(match.3)
        fields.tm_hour = number(match.4)
        fields.tm_min = number(match.5)
        fields.tm_sec = number(match.6)
        let written = fields
        let seconds = timegm(&fields)
        // Values out of range are carried over: the 31st of February has become another day.
        guard seconds >= 0, fields.tm_mon == written.tm_mon, fields.tm_mday == written.tm_mday,
            fields.tm_hour == written.tm_hour, fields.tm_min == written.tm_min, fields.tm_sec == written.tm_sec
        else { return nil }
        milliseconds = Int64(seconds) * 1000 + Int64(match.7.map(number) ?? 0)
    }

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A time from the command line: absolute, or relative to now (`30m`, `12h`, `7d`).
    init(argument: String, now: LogTime = .now) throws(CommandFailure) {
        if let match = argument.wholeMatch(of: #/(\d{1,6})([smhd])/#), let count = Int64(match.1) {
            let unit: Int64 =
                switch match.2 {
                case "s": 1000
                case "m": 60_000
                case "h": 3_600_000
                default: 86_400_000
                }
            milliseconds = max(0, now.milliseconds - count * unit)
        } else if let instant = LogTime(argument) {
            self = instant
        } else {
            throw CommandFailure(
                .usage, "\"\(argument.printable)\" is not a time",
                fix: "Write it as 2026-11-21T09:30:00Z, 2026-11-21, or relative to now as 30m, 12h, 7d")
        }
    }

    static var now: LogTime {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return LogTime(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
    }
}
