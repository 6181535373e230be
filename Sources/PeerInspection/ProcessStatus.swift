// SPDX-License-Identifier: Apache-2.0

/// The two small files of `/proc/PID` that are numbers.
enum ProcessStatus {
    /// Field 22 of `/proc/PID/stat`, counted after the last parenthesis: the name before it may hold anything.
    static func startTime(in bytes: [UInt8]) -> UInt64? {
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
        guard fields.count > 19 else { return nil }
        return UInt64(String(decoding: fields[19], as: UTF8.self))
    }

    /// The audit session of `/proc/PID/sessionid`; nil when none was ever set (all ones).
    static func auditSession(in bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard let number = UInt32(text), number != UInt32.max else { return nil }
        return "audit-\(number)"
    }
}
