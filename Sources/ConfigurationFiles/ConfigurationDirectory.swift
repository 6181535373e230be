// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection

/// The files that were read, the first directory first.
struct ConfigurationReading<Content> {
    /// A file that a directory has.
    struct File {
        let path: String
        /// Its name without `.json`.
        let stem: String
        /// nil where the file is neither root's nor the user's.
        let owner: Registration.Owner?
        let content: Result<Content, ConfigurationFileProblem>
    }

    var files: [File] = []
    /// The problems of the directories themselves.
    var problems: [ConfigurationFileProblem] = []

    /// Whether something was not read that may be read at the next try, though it has not changed.
    var mayPass: Bool {
        problems.contains(where: \.mayPass)
            || files.contains { if case .failure(let problem) = $0.content { problem.mayPass } else { false } }
    }
}

/// One directory of JSON files, in the state in which it was read.
struct ConfigurationDirectory: Sendable {
    /// Decodes a file, given its owner and its name without `.json`.
    typealias Decode<Content> = (ConfigurationFile, Registration.Owner, String) throws(ConfigurationFileProblem) ->
        Content

    /// Files at most.
    static let fileLimit = 4096

    private struct Entry {
        let name: String
        /// The file's, or the link's own.
        let facts: FileFacts
        /// The target of a link, and the path to it.
        var target: FileFacts?
        var way: [PathWalk.Point] = []
    }

    private let path: String
    private var way: [PathWalk.Point] = []
    private var facts: FileFacts?
    /// The entries that end with `.json`, by name.
    private var entries: [Entry] = []
    /// Whether some of the directory's entries could not be inspected.
    private(set) var isIncomplete = false
    /// Why nothing could be seen.
    private var failure: SystemCallFailure?

    /// Reads a directory and all its files. Each is inspected before it is read: a change meanwhile is detected later.
    init<Content>(
        reading path: String, trusting trust: FileTrust, into reading: inout ConfigurationReading<Content>,
        _ decode: Decode<Content>
    ) {
        self.path = path
        do {
            let walk = try Self.walk(to: path)
            let directory = walk.directory
            (way, facts) = (walk.way, directory.point.facts)
            let names = try directory.descriptor.names { Self.stem(of: $0) != nil }.sorted()
            if names.count > Self.fileLimit { reading.problems.append(.overfull(path)) }
            entries = names.prefix(Self.fileLimit).compactMap { Self.entry($0, in: directory.descriptor, at: path) }
            isIncomplete = entries.count < min(names.count, Self.fileLimit)
            read(in: directory.descriptor, trusting: trust, into: &reading, decode)
        } catch {
            failure = error
            if !error.isMissing { reading.problems.append(.init(file: path, cannotBe: "read", error)) }
        }
    }

    /// When anything of it was last changed, in nanoseconds since 1970.
    var changed: Int64 {
        max(facts?.changed ?? 0, entries.map { max($0.facts.changed, $0.target?.changed ?? 0) }.max() ?? 0)
    }

    /// Whether its state is the same: then nothing has changed, unless it did so right after it was read, within the
    /// file system's tick (see `changed`).
    func isUnchanged() -> Bool {
        do {
            let walk = try Self.walk(to: path)
            let directory = walk.directory
            return failure == nil && walk.way.isSame(as: way) && directory.point.facts == facts
                && entries.allSatisfy { isUnchanged($0, in: directory.descriptor) }
        } catch {
            return failure == error
        }
    }

    private func isUnchanged(_ entry: Entry, in directory: Descriptor) -> Bool {
        guard entry.facts.isLink else { return (try? directory.facts(of: entry.name)) == entry.facts }
        guard let now = Self.entry(entry.name, in: directory, at: path) else { return false }
        return now.facts == entry.facts && now.target == entry.target && now.way.isSame(as: entry.way)
    }

    private static func walk(to path: String) throws(SystemCallFailure) -> PathWalk {
        let walk = try PathWalk(to: path)
        guard walk.file == nil else { throw SystemCallFailure(code: ENOTDIR) }
        return walk
    }

    /// nil where the file was removed, or cannot be inspected.
    private static func entry(_ name: String, in directory: Descriptor, at path: String) -> Entry? {
        guard let facts = try? directory.facts(of: name) else { return nil }
        var entry = Entry(name: name, facts: facts)
        if facts.isLink, let walk = try? PathWalk(to: "\(path)/\(name)") {
            (entry.target, entry.way) = (walk.file?.point.facts, walk.way)
        }
        return entry
    }
}

extension ConfigurationDirectory {
    /// `org.example.Shop` of `org.example.Shop.json`; nil for hidden files and for those of other kinds.
    static func stem(of name: String) -> String? {
        name.hasSuffix(".json") && !name.hasPrefix(".") ? String(name.dropLast(5)) : nil
    }

    private func read<Content>(
        in directory: Descriptor, trusting trust: FileTrust, into reading: inout ConfigurationReading<Content>,
        _ decode: Decode<Content>
    ) {
        do {
            try trust.check(way)
        } catch {
            return reading.problems.append(.init(file: path, error))
        }
        for entry in entries {
            let stem = Self.stem(of: entry.name) ?? entry.name
            var owner: Registration.Owner?
            let content = Result { () throws(ConfigurationFileProblem) in
                let file = try open(entry, in: directory)
                let found = try file.owner(trusting: trust)
                owner = found
                return try decode(file, found, stem)
            }
            reading.files.append(
                ConfigurationReading.File(
                    path: "\(path)/\(entry.name)", stem: stem, owner: owner, content: content))
        }
    }

    private func open(_ entry: Entry, in directory: Descriptor) throws(ConfigurationFileProblem) -> ConfigurationFile {
        let path = "\(path)/\(entry.name)"
        if entry.facts.isLink { return try ConfigurationFile(at: path) }
        let point = PathWalk.Point(path: path, facts: entry.facts, isServed: way.last?.isServed ?? true)
        return try ConfigurationFile(entry.name.utf8, point: point, in: directory, way: way, path: path)
    }
}

extension [PathWalk.Point] {
    fileprivate func isSame(as other: [PathWalk.Point]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.facts.isSame(as: $1.facts) }
    }
}

extension ConfigurationFileProblem {
    fileprivate static func overfull(_ path: String) -> ConfigurationFileProblem {
        ConfigurationFileProblem(
            file: path,
            reason: "It has more than \(ConfigurationDirectory.fileLimit) files; the last by name are not read.",
            fix: "Remove those that are not needed.")
    }
}
