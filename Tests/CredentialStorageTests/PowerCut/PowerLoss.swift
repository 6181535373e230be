// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround

/// What of the unsynced changes a power cut leaves on the disk.
enum PowerLoss {
    /// Nothing of them.
    case all
    /// The names, but no content.
    case content
    /// The content, but no names.
    case names
    /// The change of names of an event, and nothing else.
    case allBut(rename: Int)
    /// The content of the file that an event has written, and nothing else.
    case others(than: Int)
    /// All before an event, and some sectors of what that one wrote.
    case since(Int, seed: UInt64)
    /// Any, in any order.
    case any(seed: UInt64)

    static func random(after event: Int, using generator: inout SeededGenerator) -> PowerLoss {
        let seed = generator.next()
        switch seed % 8 {
        case 0: return .all
        case 1: return .content
        case 2: return .names
        // Disks and file systems mostly write within seconds.
        case 3, 4: return .since(max(0, event - Int(seed >> 8 & 31)), seed: seed)
        default: return .any(seed: seed)
        }
    }

    fileprivate func keeps(_ change: SimulatedDisk.NameChange) -> Bool {
        switch self {
        case .all, .names, .others: false
        case .content: true
        case .allBut(let event): change.event == event
        case .since(let event, _): change.event < event
        case .any(let seed): draw(seed, UInt64(change.event)) & 1 == 0
        }
    }

    fileprivate func content(of file: SimulatedDisk.File, _ node: Int) -> [UInt8] {
        let count = file.unsynced.count
        switch self {
        case .all, .content, .allBut: return file.content
        case .names: return file.content(keeping: { _ in count }, upTo: count)
        case .others(let event):
            guard file.unsynced.contains(where: { $0.event == event }) else { return file.content }
            return file.content(keeping: { _ in count }, upTo: count)
        case .since(let event, let seed):
            let before = file.unsynced.count { $0.event < event }
            let isTorn = before < count && file.unsynced[before].event == event
            guard isTorn else { return file.content(keeping: { _ in before }, upTo: before) }
            func drawn(_ number: Int) -> Int { before + Int(draw(seed, UInt64(number)) & 1) }
            return file.content(keeping: drawn, upTo: drawn(.max))
        case .any(let seed):
            let own = draw(seed, UInt64(node) << 32)
            // Half of the time each file has all that was written to it, or nothing.
            let choices: UInt64 = draw(seed, .max) & 1 == 0 ? 2 : 4
            guard count > 0, own % choices > 0 else { return file.content }
            if own % choices == 1 { return file.content(keeping: { _ in count }, upTo: count) }
            func drawn(_ number: Int) -> Int { Int(draw(own, UInt64(number)) % UInt64(count + 1)) }
            return file.content(keeping: drawn, upTo: drawn(.max))
        }
    }

    private func draw(_ seed: UInt64, _ number: UInt64) -> UInt64 {
        var generator = SeededGenerator(seed: seed ^ (number &* 0xD134_2543_DE82_EF95))
        return generator.next()
    }
}

extension SimulatedDisk {
    /// Writes what a power cut leaves to an empty folder.
    func write(to folder: String, after loss: PowerLoss) throws {
        var folders = durable
        for change in unsynced where loss.keeps(change) { change.apply(to: &folders) }
        var written: [Node: String] = [:]
        try write(Self.root, to: folder, folders, loss, &written)
    }

    /// - Parameter written: the first names of files, which may have others.
    private func write(
        _ node: Node, to folder: String, _ folders: [Node: [String: Node]], _ loss: PowerLoss,
        _ written: inout [Node: String]
    ) throws {
        for (name, child) in folders[node] ?? [:] {
            let path = folder + "/" + name
            if let target = links[child] {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            } else if let file = files[child] {
                if let first = written[child] {
                    try FileManager.default.linkItem(atPath: first, toPath: path)
                    continue
                }
                try Data(loss.content(of: file, child)).write(to: URL(filePath: path))
                chmod(path, 0o600)
                written[child] = path
            } else {
                mkdir(path, 0o700)
                try write(child, to: path, folders, loss, &written)
            }
        }
    }
}
