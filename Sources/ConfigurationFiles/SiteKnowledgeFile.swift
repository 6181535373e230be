// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection
package import SiteKnowledge

/// The one file in which the user's data directory keeps what is publicly known of sites: the public files, each under
/// its own name, as `autofillctl quirks import` took them in. A value: whoever keeps it sees to it that one task at a
/// time asks it.
package struct SiteKnowledgeFile: Sendable {
    /// What an import came to.
    package struct Imported: Sendable {
        package let sites: KnownSites
        package let files: [SiteFile]
        /// Files of the directory that were not read.
        package let leftOut: [String]
    }

    /// nil where none is kept: a daemon with a vault in memory.
    private let path: String?
    private let userID: UInt32
    private var facts: FileFacts?
    /// Whether it was not read for a reason that may be gone though the file is the same.
    private var isUnsettled = false

    package private(set) var sites = KnownSites()
    /// Why the file was not taken; then what it held before still counts.
    package private(set) var problem: ConfigurationFileProblem?

    /// Reads it. A file that is missing is an empty one.
    package init(_ path: String?, userID: UInt32) {
        self.path = path
        self.userID = userID
        _ = reloadIfChanged()
    }

    /// Reads it again if it is another one now; a look where it is not.
    ///
    /// - Returns: whether what is known has changed.
    package mutating func reloadIfChanged() -> Bool {
        guard let path else { return false }
        let now = try? Descriptor.open(path, Descriptor.locate).facts()
        guard now != facts || isUnsettled else { return false }
        facts = now
        let old = sites
        do throws(ConfigurationFileProblem) {
            sites = try Self.load(path, userID: userID)
            problem = nil
        } catch {
            problem = error
        }
        isUnsettled = problem?.mayPass == true
        return sites != old
    }

    private static func load(_ path: String, userID: UInt32) throws(ConfigurationFileProblem) -> KnownSites {
        let file: ConfigurationFile
        do throws(ConfigurationFileProblem) {
            file = try ConfigurationFile(at: path, limit: SiteFile.allCases.count * (SiteLimits.bytes + 64))
        } catch {
            if error.isMissing { return KnownSites() }
            throw error
        }
        _ = try file.owner(trusting: FileTrust(userID: userID))
        var findings = ConfigurationFindings()
        let names = SiteFile.allCases.map(\.member)
        let object = ConfigurationObject(
            try ConfigurationValue(json: file.bytes, file: path), knowing: names, &findings)
        let parts = SiteFile.allCases.compactMap { part in object?[part.member].map { (file: part, value: $0) } }
        do throws(ConfigurationMistakes) {
            _ = try findings.accept(object)
            return try KnownSites.decode(parts) { .file[$0.member] }
        } catch {
            throw ConfigurationFileProblem(file: path, mistakes: error.mistakes)
        }
    }
}

extension SiteKnowledgeFile {
    /// Takes in the public files of a directory, in place of all that was known. They are checked first; then they are
    /// there at once and whole, or not at all.
    package static func replace(
        _ path: String, withFilesOf directory: String
    ) throws(ConfigurationFileProblem) -> Imported {
        var parts: [(file: SiteFile, value: ConfigurationValue)] = []
        var text: [UInt8] = []
        for part in SiteFile.allCases {
            let name = "\(directory)/\(part.rawValue)"
            let file: ConfigurationFile
            do throws(ConfigurationFileProblem) {
                file = try ConfigurationFile(at: name, limit: SiteLimits.bytes)
            } catch {
                if error.isMissing { continue }
                throw error
            }
            parts.append((part, try ConfigurationValue(json: file.bytes, file: name)))
            text += Array((text.isEmpty ? "{" : ",").utf8) + Array("\"\(part.member)\":".utf8) + file.bytes
        }
        guard !parts.isEmpty else {
            throw ConfigurationFileProblem(
                file: directory, reason: "None of the public files is there.",
                fix: "Name the folder of the password-manager-resources project that holds "
                    + SiteFile.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        let sites: KnownSites
        do throws(ConfigurationMistakes) {
            sites = try KnownSites.decode(parts) { .file[$0.rawValue] }
        } catch {
            throw ConfigurationFileProblem(file: directory, mistakes: error.mistakes)
        }
        let leftOut: [String]
        do throws(SystemCallFailure) {
            let known = Set(SiteFile.allCases.map(\.rawValue))
            leftOut = try Descriptor.open(directory, O_RDONLY | O_DIRECTORY)
                .names { $0.hasSuffix(".json") && !known.contains($0) }.sorted()
            let (parent, name) = split(path)
            try Descriptor.createDirectory(parent)
            _ = try Descriptor.open(parent, O_RDONLY | O_DIRECTORY).replace(name, with: text + Array("}\n".utf8))
        } catch {
            throw ConfigurationFileProblem(file: path, cannotBe: "written", error)
        }
        return Imported(sites: sites, files: parts.map(\.file), leftOut: leftOut)
    }

    /// Forgets all that is known of sites.
    ///
    /// - Returns: whether anything was.
    package static func remove(_ path: String) throws(ConfigurationFileProblem) -> Bool {
        do throws(SystemCallFailure) {
            let (parent, name) = split(path)
            return try Descriptor.open(parent, O_RDONLY | O_DIRECTORY).remove(name)
        } catch {
            if error.isMissing { return false }
            throw ConfigurationFileProblem(file: path, cannotBe: "removed", error)
        }
    }

    private static func split(_ path: String) -> (directory: String, name: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return (String(path.dropLast(name.count + 1)), name)
    }
}
