// SPDX-License-Identifier: Apache-2.0

/// Times in KDBX: seconds since the year 1 in base64 (version 4), or ISO 8601.
enum KeePassTime {
    private static let before1970: Int64 = 62_135_596_800

    static func read(_ text: String) -> Int64? {
        if text.contains("-") || text.contains(":") { return InstantText.milliseconds(text) }
        guard let bytes = BinaryText.bytes(text), bytes.count == 8 else { return nil }
        let seconds = Int64(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }) &- before1970
        return (1..<253_402_300_800).contains(seconds) ? seconds * 1000 : nil
    }

    static func text(_ milliseconds: Int64) -> String {
        let seconds = UInt64(bitPattern: milliseconds / 1000 + before1970)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) }
        return BinaryText.base64(bytes)
    }
}
