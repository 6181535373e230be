// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection

/// One configuration file, read once: its bytes, and which users could have written them.
struct ConfigurationFile {
    /// Bytes.
    static let sizeLimit = 65_536

    /// As it was named.
    let path: String
    let bytes: [UInt8]
    /// The directories and links on the way to it, and itself.
    private let way: [PathWalk.Point]

    /// - Parameter limit: bytes at most.
    init(at path: String, limit: Int = Self.sizeLimit) throws(ConfigurationFileProblem) {
        let walk: PathWalk
        do {
            walk = try PathWalk(to: path)
        } catch {
            throw ConfigurationFileProblem(file: path, cannotBe: "read", error)
        }
        guard let file = walk.file else { throw .notRegular(path) }
        try self.init(
            file.name, point: file.point, in: walk.directory.descriptor, way: walk.way, path: path, limit: limit)
    }

    /// - Parameter point: what was found under the name; anything but a regular file is not even opened.
    init(
        _ name: some Collection<UInt8>, point: PathWalk.Point, in directory: Descriptor, way: [PathWalk.Point],
        path: String, limit: Int = Self.sizeLimit
    ) throws(ConfigurationFileProblem) {
        guard point.facts.isRegular else { throw .notRegular(path) }
        let opened: FileFacts
        do {
            let descriptor = try Descriptor.open(name, in: directory, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
            opened = try descriptor.facts()
            bytes = try descriptor.read(atMost: limit + 1)
        } catch {
            throw ConfigurationFileProblem(file: path, cannotBe: "read", error)
        }
        self.path = path
        self.way = way + [PathWalk.Point(path: path, facts: opened, isServed: point.isServed)]
        guard opened.isRegular else { throw .notRegular(path) }
        guard bytes.count <= limit else {
            throw ConfigurationFileProblem(
                file: path, reason: "It has more than \(limit) bytes.",
                fix: "Keep it to \(limit) bytes at most.")
        }
    }

    func owner(trusting trust: FileTrust) throws(ConfigurationFileProblem) -> Registration.Owner {
        do {
            return try trust.owner(of: way)
        } catch {
            throw ConfigurationFileProblem(file: path, error)
        }
    }
}

extension ConfigurationFileProblem {
    fileprivate static func notRegular(_ path: String) -> ConfigurationFileProblem {
        ConfigurationFileProblem(
            file: path, reason: "It is no regular file.", fix: "Replace it by a regular file.")
    }
}
