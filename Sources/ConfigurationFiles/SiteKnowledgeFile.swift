// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection
package import SiteKnowledge

/// The one file of public data about sites in the user's data directory: the public files, each under its own name, as
/// `autofillctl quirks import` stored them. A value: its owner makes sure that one task at a time uses it.
package struct SiteKnowledgeFile: Sendable {
    /// The result of an import.
    package struct Imported: Sendable {
        package let sites: PublicSiteData
        package let files: [SiteFile]
        /// Files of the directory that were not read.
        package let leftOut: [String]
    }

    /// nil where none is kept: a daemon with a vault in memory.
    private let path: String?
    private let userID: UInt32
    private var facts: FileFacts?
    /// Whether it was not read for a reason that may cease without a change of the file.
    private var isUnsettled = false

    package private(set) var sites = PublicSiteData()
    /// Why the file was refused; then its previous content still applies.
    package private(set) var problem: ConfigurationFileProblem?

    /// Reads it. A file that is missing is an empty one.
    package init(_ path: String?, userID: UInt32) {
        self.path = path
        self.userID = userID
        _ = reloadIfChanged()
    }

    /// Reads it again if it has changed; a check where it has not.
    ///
    /// - Returns: whether the content has changed.
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

    private static func load(_ path: String, userID: UInt32) throws(ConfigurationFileProblem) -> PublicSiteData {
        let file: ConfigurationFile
        do throws(ConfigurationFileProblem) {
            file = try ConfigurationFile(at: path, limit: SiteFile.allCases.count * (SiteLimits.bytes + 64))
        } catch {
            if error.isMissing { return PublicSiteData() }
            throw error
        }
        _ = try file.owner(trusting: FileTrust(userID: userID))
        var findings = ConfigurationFindings()
        let names = SiteFile.allCases.map(\.member)
        let object = ConfigurationObject(
            try ConfigurationValue(json: file.bytes, file: path), knowing: names, &findings)
        let files = SiteFile.allCases.compactMap { file in object?[file.member].map { (file: file, value: $0) } }
        do throws(ConfigurationMistakes) {
            _ = try findings.accept(object)
            return try PublicSiteData.decode(files) { .file[$0.member] }
        } catch {
            throw ConfigurationFileProblem(file: path, mistakes: error.mistakes)
        }
    }
}

extension SiteKnowledgeFile {
    /// Imports the public files of a directory, which replace the previous content. They are checked first, and then
    /// stored in one step or not at all.
    package static func replace(
        _ path: String, withFilesOf directory: String
    ) throws(ConfigurationFileProblem) -> Imported {
        var files: [(file: SiteFile, value: ConfigurationValue)] = []
        var text: [UInt8] = []
        for file in SiteFile.allCases {
            let name = "\(directory)/\(file.rawValue)"
            let content: ConfigurationFile
            do throws(ConfigurationFileProblem) {
                content = try ConfigurationFile(at: name, limit: SiteLimits.bytes)
            } catch {
                if error.isMissing { continue }
                throw error
            }
            files.append((file, try ConfigurationValue(json: content.bytes, file: name)))
            text += Array((text.isEmpty ? "{" : ",").utf8) + Array("\"\(file.member)\":".utf8) + content.bytes
        }
        guard !files.isEmpty else {
            throw ConfigurationFileProblem(
                file: directory, reason: "None of the public files is there.",
                fix: "Name the folder of the password-manager-resources project that holds "
                    + SiteFile.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        let sites: PublicSiteData
        do throws(ConfigurationMistakes) {
            sites = try PublicSiteData.decode(files) { .file[$0.rawValue] }
        } catch {
            throw ConfigurationFileProblem(file: directory, mistakes: error.mistakes)
        }
        let leftOut: [String]
        do throws(SystemCallFailure) {
            let supported = Set(SiteFile.allCases.map(\.rawValue))
            leftOut = try Descriptor.open(directory, O_RDONLY | O_DIRECTORY)
                .names { $0.hasSuffix(".json") && !supported.contains($0) }.sorted()
            let (parent, name) = split(path)
            try Descriptor.createDirectory(parent)
            _ = try Descriptor.open(parent, O_RDONLY | O_DIRECTORY).replace(name, with: text + Array("}\n".utf8))
        } catch {
            throw ConfigurationFileProblem(file: path, cannotBe: "written", error)
        }
        return Imported(sites: sites, files: files.map(\.file), leftOut: leftOut)
    }

    /// Deletes the file.
    ///
    /// - Returns: whether there was one.
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
