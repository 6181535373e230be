// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// What someone, or a fault of the disk, does to `vault.releases`.
enum ReleaseDamage: CaseIterable {
    case flippedBit, overwritten, truncated, emptied, deleted, older, removed, copied

    /// - Parameter older: the file as it was before.
    func apply(to path: String, older: String, using generator: inout SeededGenerator) throws {
        let manager = FileManager.default
        switch self {
        case .deleted: try manager.removeItem(atPath: path)
        case .older:
            // Into another file, as a program that copies would.
            try manager.removeItem(atPath: path)
            try manager.copyItem(atPath: older, toPath: path)
        case .emptied: try #require(truncate(path, 0) == 0)
        case .truncated:
            let length = try Data(contentsOf: URL(filePath: path)).count
            let used = Self.used(path)
            let end = Bool.random(using: &generator) && used > 0 ? used : length
            try #require(truncate(path, off_t(Int.random(in: 0..<max(1, end), using: &generator))) == 0)
        case .flippedBit, .overwritten, .removed, .copied:
            let handle = try FileHandle(forUpdating: URL(filePath: path))
            let bytes = try handle.readToEnd() ?? Data()
            let changed = changed([UInt8](bytes), &generator)
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: Data(changed))
            try handle.close()
        }
    }

    /// The same number of bytes, changed in place.
    private func changed(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let entries = Self.ranges(bytes)
        let used = max(1, entries.last?.upperBound ?? 1)
        // Mostly in an entry, and often in its header.
        var place = Int.random(
            in: 0..<(Int.random(in: 0..<6, using: &generator) == 0 ? bytes.count : used), using: &generator)
        if let entry = entries.randomElement(using: &generator), Int.random(in: 0..<3, using: &generator) == 0 {
            place = entry.lowerBound + Int.random(in: 0..<10, using: &generator)
        }
        switch self {
        case .flippedBit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case .overwritten:
            let end = min(bytes.count, place + Int.random(in: 1...900, using: &generator))
            for index in place..<end { bytes[index] = .random(in: 0...255, using: &generator) }
        case .removed:
            guard let entry = entries.randomElement(using: &generator) else { break }
            let padding = [UInt8](repeating: 0, count: entry.count)
            bytes = bytes[..<entry.lowerBound] + bytes[entry.upperBound..<used] + padding + bytes[used...]
        default:
            guard let one = entries.randomElement(using: &generator),
                let other = entries.randomElement(using: &generator)
            else { break }
            let source = Array(bytes[one])
            bytes.replaceSubrange(other.lowerBound..<other.lowerBound + source.count, with: source)
        }
        return bytes
    }

    private static func used(_ path: String) -> Int {
        ((try? Data(contentsOf: URL(filePath: path))).map { ranges([UInt8]($0)) })?.last?.upperBound ?? 0
    }

    /// Where the entries of a file lie that is not damaged.
    private static func ranges(_ bytes: [UInt8]) -> [Range<Int>] {
        var start = 0
        return bytes.withUnsafeBytes { bytes in
            ReleaseEntry.all(in: bytes).map { entry in
                defer { start += entry.bytes.count }
                return start..<start + entry.bytes.count
            }
        }
    }
}
