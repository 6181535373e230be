// SPDX-License-Identifier: Apache-2.0

/// The small files of `/proc/PID` that are numbers.
enum ProcessStatus {
    /// The numbers of the line `NAME:\t…` of `/proc/PID/status` or of a pidfd's `/proc/PID/fdinfo`; nil where there is
    /// none.
    static func numbers(of name: String, in bytes: [UInt8]) -> [Int64]? {
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "\(name):".utf8) }
        guard let line else { return nil }
        let words = line.dropFirst(name.utf8.count + 1).split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        let numbers = words.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == words.count ? numbers : nil
    }

    /// Field 4 of `/proc/PID/stat`: the process that started it, or that it was left to.
    static func parent(in bytes: [UInt8]) -> Int32? {
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 2)
        return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    /// Field 22 of `/proc/PID/stat`, counted after the last parenthesis: the name before it may hold anything.
    static func startTime(in bytes: [UInt8]) -> UInt64? {
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
        guard fields.count > 19 else { return nil }
        return UInt64(String(decoding: fields[19], as: UTF8.self))
    }

    /// Fields 6 and 7 of `/proc/PID/stat`: the process that leads the session, and the device number of its terminal;
    /// nil where it has no terminal, or none that leads it can be seen.
    static func session(in bytes: [UInt8]) -> (leader: Int32, terminal: UInt32)? {
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count > 4, let leader = Int32(String(decoding: fields[3], as: UTF8.self)),
            let terminal = Int32(String(decoding: fields[4], as: UTF8.self)), leader > 0, terminal != 0
        else { return nil }
        return (leader, UInt32(bitPattern: terminal))
    }

    /// The audit session of `/proc/PID/sessionid`; nil when none was ever set (all ones).
    static func auditSession(in bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard let number = UInt32(text), number != UInt32.max else { return nil }
        return "audit-\(number)"
    }
}
