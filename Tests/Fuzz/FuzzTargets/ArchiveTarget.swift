// SPDX-License-Identifier: Apache-2.0

/// Archives of other programs. The first byte of an input says what the rest is: an archive, or the file in one that is
/// 1Password's or Bitwarden's.
enum ArchiveTarget {
    /// - Returns: how many entries the file has.
    @discardableResult
    static func run(_ input: [UInt8]) throws -> Int {
        guard let kind = input.first else { return 0 }
        let rest = Array(input.dropFirst())
        switch kind % 3 {
        case 0: return try ForeignTarget.run(start + rest, isText: false)
        case 1: return try ForeignTarget.run(archive("export.data", rest), isText: false)
        default: return try ForeignTarget.run(archive("data.json", rest), isText: false)
        }
    }

    static var seeds: [[UInt8]] {
        [
            [0] + archive("export.data", onePassword).dropFirst(start.count), [1] + onePassword,
            [2] + ForeignTarget.documents[0],
        ]
    }

    private static let onePassword = Array(
        """
        {"accounts":[{"vaults":[{"attrs":{"name":"F"},"items":[{"categoryUuid":"001","favIndex":1,"createdAt":1700000000,
        "updatedAt":1700000001,"state":"archived","overview":{"title":"A","tags":["t"],"urls":[{"url":"https://a.example"}],
        "url":"https://b.example"},"details":{"loginFields":[{"designation":"username","value":"ann","fieldType":"T"},
        {"designation":"password","value":"p","fieldType":"P"},{"name":"x","value":"y","fieldType":"P"}],"notesPlain":"n",
        "passwordHistory":[{"value":"o","time":1600000000}],"sections":[{"fields":[{"title":"c","value":{"totp":"AAAA"}},
        {"title":"m","value":{"email":{"email_address":"e@a.example"}}},{"title":"d","value":{"date":17}},
        {"title":"k","value":{"concealed":"s"}},{"title":"f","value":{"file":{}}}]}],"documentAttributes":{}}},
        {"item":{"categoryUuid":"003","overview":{"title":"N"}}},{"categoryUuid":"002"}]}]}]}
        """.utf8)

    private static let start: [UInt8] = [0x50, 0x4B, 3, 4]

    /// A zip archive with one file that is not compressed.
    private static func archive(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let (name, count) = (Array(name.utf8), number(UInt32(content.count)))
        let common =
            [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x58] + number(checksum(content)) + count + count
            + number(UInt16(name.count)) + [0, 0]
        let local = start + common + name + content
        let directory = [0x50, 0x4B, 1, 2, 20, 3] + common + Array(repeating: 0, count: 14) + name
        return local + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0]
            + number(UInt32(directory.count)) + number(UInt32(local.count)) + [0, 0]
    }

    private static func number(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// The checksum of zip and gzip: CRC-32.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
