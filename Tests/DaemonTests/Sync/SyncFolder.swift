// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// The folder that carries the files of all machines, and what has ever been in it.
final class SyncFolder {
    /// Which sequences of which machine a file has.
    private struct Range: Hashable {
        let device: String
        let isSnapshot: Bool
        let sequences: Data
    }

    let path: String
    private var names: [Range: Set<String>] = [:]

    init() throws { path = try TestFiles.folder() + "/folder" }

    /// Makes it.
    func make() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }

    /// The snapshots and deltas below a directory, with conflict copies, each as GROUP/DEVICE/NAME.
    static func files(in directory: String) -> Set<String> {
        let all = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        return Set(all.filter { $0.hasSuffix(".snap") || $0.hasSuffix(".delta") })
    }

    /// Those of one machine, with the whole path.
    func files(of device: String) -> Set<String> {
        Set(
            Self.files(in: path).filter { $0.split(separator: "/").dropFirst().first == device[...] }.map {
                "\(path)/\($0)"
            })
    }

    /// Notes what some directories, copies of the folder and outboxes of machines, have now.
    func note(_ directories: [String]) {
        for directory in directories {
            for file in Self.files(in: directory) where !file.contains("conflict") {
                // What is in the header in clear: format, kind, group, device, first and last sequence.
                guard let content = FileManager.default.contents(atPath: "\(directory)/\(file)"), content.count > 54
                else { continue }
                let components = file.split(separator: "/")
                let range = Range(
                    device: String(components[1]), isSnapshot: file.hasSuffix(".snap"), sequences: content[38..<54])
                names[range, default: []].insert(String(components[2]))
            }
        }
    }

    /// The names of files that cover the same sequences of one machine and have different content.
    var published: (twice: [Set<String>], count: Int) {
        (names.values.filter { $0.count > 1 }, names.count)
    }

    // MARK: - Faults

    /// Renames a file as Syncthing does with one of two that are in conflict.
    static func makeConflictCopy(of file: String) throws {
        let url = URL(filePath: file)
        let copy =
            "\(url.deletingPathExtension().path).sync-conflict-20261127-032211-ABCDEF2.\(url.pathExtension)"
        try #require(rename(file, copy) == 0)
    }

    private var kept: String { path + ".before" }

    /// Keeps a copy of all that it has.
    func keepCopy() throws {
        try? FileManager.default.removeItem(atPath: kept)
        try FileManager.default.copyItem(atPath: path, toPath: kept)
    }

    /// Replaces it by the copy.
    func rollBack() throws {
        let after = path + ".after"
        try? FileManager.default.removeItem(atPath: after)
        try FileManager.default.moveItem(atPath: path, toPath: after)
        try FileManager.default.moveItem(atPath: kept, toPath: path)
    }

    // MARK: - Waiting

    /// Waits until something is so.
    ///
    /// - Parameter machines: those that compare what there is with what they have every two seconds, over git, too.
    static func eventually(
        _ what: String, within seconds: Int = 60, hastening machines: [SyncMachine] = [], _ isSo: () throws -> Bool
    ) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var due = ContinuousClock.now + .seconds(2)
        while try !isSo() {
            try #require(ContinuousClock.now < deadline, "not in time: \(what)")
            if ContinuousClock.now > due {
                for machine in machines { try machine.hasten() }
                due = ContinuousClock.now + .seconds(2)
            }
            usleep(5_000)
        }
    }
}
