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

    /// Notes what the folder, copies of it and the outboxes of the machines have now.
    func note(_ machines: [SyncMachine], copies: [SyncFolder] = []) {
        for directory in [path] + copies.map(\.path) + machines.map({ $0.spool + "/out" }) {
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

    /// Waits until something is so.
    static func eventually(_ what: String, within seconds: Int = 60, _ isSo: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while try !isSo() {
            try #require(ContinuousClock.now < deadline, "not in time: \(what)")
            usleep(5_000)
        }
    }
}
