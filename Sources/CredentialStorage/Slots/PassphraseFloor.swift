// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What a new passphrase must not be: one of those that a thief of the file tries first. One that is in use still opens its
/// slot; keys and recovery keys are random, and not asked.
package enum PassphraseFloor {
    /// How many digits and marks around a common word do not make it another.
    private static let looseEnds = 6
    /// How many characters in a row make a run.
    private static let leastRun = 3
    /// How long a unit may be whose repetition is no passphrase.
    private static let longestUnit = 4

    /// Why a passphrase is refused; nil where it is not.
    package static func fault(of passphrase: SecretBytes) -> VaultError.SecretFault? {
        if passphrase.count == 0 { return .emptyPassphrase }
        if isBlank(passphrase) { return .blankPassphrase }
        let folded = folded(passphrase)
        return folded.withUnsafeBytes { isCommon($0) } ? .commonPassphrase : nil
    }

    /// Whether there is nothing to be seen in it.
    private static func isBlank(_ passphrase: SecretBytes) -> Bool {
        passphrase.withUnsafeBytes { bytes in
            var decoder = UTF8()
            var iterator = bytes.makeIterator()
            while true {
                switch decoder.decode(&iterator) {
                case .scalarValue(let scalar):
                    let category = scalar.properties.generalCategory
                    guard scalar.properties.isWhitespace || category == .control || category == .format else {
                        return false
                    }
                case .emptyInput: return true
                case .error: return false
                }
            }
        }
    }

    /// In lower case, without the separators between words.
    private static func folded(_ passphrase: SecretBytes) -> SecretBytes {
        func isSeparator(_ byte: UInt8) -> Bool { " -_.,\t".utf8.contains(byte) }
        return passphrase.withUnsafeBytes { bytes in
            SecretBytes(count: bytes.count { !isSeparator($0) }) { memory in
                var offset = 0
                for byte in bytes where !isSeparator(byte) {
                    memory[offset] = (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
                    offset += 1
                }
            }
        }
    }

    private static func isCommon(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.isEmpty || isRepetition(bytes) || isRuns(bytes) || isDate(bytes) { return true }
        let end = bytes.lastIndex(where: isLetter).map { $0 + 1 } ?? bytes.count
        let start = bytes.firstIndex(where: isLetter) ?? 0
        for core in [start..<end, 0..<end, start..<bytes.count, 0..<bytes.count] where !core.isEmpty {
            let tail = UnsafeRawBufferPointer(rebasing: bytes[core.upperBound...])
            let isLoose =
                bytes.count - core.count <= looseEnds || core.lowerBound == 0 && (isRuns(tail) || isDate(tail))
            if isLoose, isWord(UnsafeRawBufferPointer(rebasing: bytes[core])) { return true }
        }
        return false
    }

    /// Whether it is on the list, as it is or with letters for the digits and marks that resemble them; or twice over, or a
    /// run of keys.
    private static func isWord(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if CommonWords.contains(bytes) || bytes.count >= 2 * leastRun && isRuns(bytes) { return true }
        let half = bytes.count / 2
        if bytes.count % 2 == 0, half >= leastRun, bytes[..<half].elementsEqual(bytes[half...]),
            CommonWords.contains(UnsafeRawBufferPointer(rebasing: bytes[..<half]))
        {
            return true
        }
        for one in ["i", "l"] as [Unicode.Scalar] {
            let word = SecretBytes(count: bytes.count) { memory in
                for (offset, byte) in bytes.enumerated() { memory[offset] = letter(for: byte, one: UInt8(ascii: one)) }
            }
            if word.withUnsafeBytes({ CommonWords.contains($0) }) { return true }
        }
        return false
    }

    private static func letter(for byte: UInt8, one: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"), UInt8(ascii: "!"), UInt8(ascii: "|"): one
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
        case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "s")
        case UInt8(ascii: "7"), UInt8(ascii: "+"): UInt8(ascii: "t")
        default: byte
        }
    }

    /// Whether a few characters come again and again.
    private static func isRepetition(_ bytes: UnsafeRawBufferPointer) -> Bool {
        (1...longestUnit).contains { unit in
            bytes.count >= 2 * unit && bytes.indices.dropFirst(unit).allSatisfy { bytes[$0] == bytes[$0 - unit] }
        }
    }

    /// Whether it is made of runs along the rows of keyboards, the alphabet and numbers, or of one character; two characters at
    /// the end may be others.
    private static func isRuns(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let length = run(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            guard length >= leastRun else { break }
            offset += length
        }
        return offset == bytes.count || offset >= 2 * leastRun && bytes.count - offset < leastRun
    }

    /// How long the run is that the bytes begin with.
    private static func run(_ bytes: UnsafeRawBufferPointer) -> Int {
        var longest = bytes.prefix { $0 == bytes[0] }.count
        for row in CommonWords.rows {
            for start in row.indices where row[start] == bytes[0] {
                longest = max(longest, zip(row[start...], bytes).prefix { $0 == $1 }.count)
            }
        }
        return longest
    }

    /// Whether it is a day, as eight digits, in any order of year, month and day.
    private static func isDate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == 8, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        func number(_ digits: Range<Int>) -> Int { bytes[digits].reduce(0) { 10 * $0 + Int($1) - 0x30 } }
        func isDay(_ year: Int, _ one: Int, _ other: Int) -> Bool {
            (1900...2099).contains(year) && (1...31).contains(max(one, other)) && (1...12).contains(min(one, other))
        }
        return isDay(number(0..<4), number(4..<6), number(6..<8)) || isDay(number(4..<8), number(0..<2), number(2..<4))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || byte >= 0x80 }
}
