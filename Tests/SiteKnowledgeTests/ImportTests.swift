// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Foundation
import SiteKnowledge
import Testing

@Suite("The import of public files about sites")
struct ImportTests {
    /// A folder of its own, removed with the test.
    private final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "/sites-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path + "/public", withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var kept: String { path + "/data/site-knowledge.json" }

        func write(_ file: SiteFile, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/public/\(file.rawValue)"))
        }

        @discardableResult
        func take() throws -> SiteKnowledgeFile.Imported {
            try SiteKnowledgeFile.replace(kept, withFilesOf: path + "/public")
        }

        func read() -> SiteKnowledgeFile { SiteKnowledgeFile(kept, userID: getuid()) }
    }

    private static let samples: [SiteFile: String] = [
        .passwordRules: """
        { "163.com": { "password-rules": "minlength: 6; maxlength: 16;" },
          "id.example.org": { "exact-domain-match-only": true, "password-rules": "required: digit;" } }
        """,
        .sharedCredentials: """
        [ { "shared": ["3docean.net", "envato.com"] },
          { "from": ["a2hosting.com"], "to": ["hosting.com"], "fromDomainsAreObsoleted": true } ]
        """,
        .changePassword: #"{ "500px.com": "https://web.500px.com/settings/account/security" }"#,
        .appendedCodes: #"[ "usaa.com" ]"#,
    ]

    @Test("What was imported is what is read again; files of the project that are not supported are reported")
    func whole() throws {
        let folder = try Folder()
        for (file, text) in Self.samples { try folder.write(file, text) }
        try folder.write(.appendedCodes, #"["usaa.com"]"#)
        let former = "shared-credentials-historical.json"
        try Data("[]".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/public/\(former)"))
        let imported = try folder.take()
        #expect(imported.files == SiteFile.allCases)
        #expect(imported.leftOut == [former])
        #expect(imported.sites.changePassword.count == 1)
        let file = folder.read()
        #expect(file.problem == nil)
        #expect(file.sites == imported.sites)
        #expect(file.sites.rules.count == 2)
        #expect(file.sites.groups.count == 2)
        #expect(try file.sites.domainsSharing(with: DomainName("hosting.com")) == ["a2hosting.com"])
        #expect(try file.sites.appendsCode(DomainName("usaa.com")))
    }

    @Test("An import replaces the one before as a whole; missing files are then empty")
    func replaced() throws {
        var isAnother: Bool
        let folder = try Folder()
        try folder.write(.appendedCodes, #"["usaa.com"]"#)
        try folder.take()
        var file = folder.read()
        #expect(file.sites.appendsCode == ["usaa.com"])
        isAnother = file.reloadIfChanged()
        #expect(!isAnother)
        try FileManager.default.removeItem(atPath: folder.path + "/public/" + SiteFile.appendedCodes.rawValue)
        try folder.write(.changePassword, Self.samples[.changePassword] ?? "")
        try folder.take()
        isAnother = file.reloadIfChanged()
        #expect(isAnother)
        #expect(file.sites.appendsCode.isEmpty)
        #expect(file.sites.changePassword.count == 1)
        #expect(try SiteKnowledgeFile.remove(folder.kept))
        isAnother = file.reloadIfChanged()
        #expect(isAnother)
        #expect(file.sites.isEmpty)
        #expect(try !SiteKnowledgeFile.remove(folder.kept))
    }

    @Test(
        "A file with a mistake is refused with its position, and the previous data is kept",
        arguments: [
            (SiteFile.passwordRules, #"{ "163.com": { "password-rule": "minlength: 6;" } }"#, "password-rule"),
            (.passwordRules, #"{ "163.com": "minlength: 6;" }"#, "163.com"),
            (.passwordRules, #"{ "not a domain": { "password-rules": "minlength: 6;" } }"#, "not a domain"),
            (.passwordRules, #"{ "163.com": { "password-rules": "minlength: six" } }"#, "password-rules"),
            (.sharedCredentials, #"[ { "shared": ["a.com"], "to": ["b.com"] } ]"#, "[0]"),
            (.sharedCredentials, #"[ { "from": ["a.com"] } ]"#, "[0]"),
            (.sharedCredentials, #"{ "shared": ["a.com"] }"#, "shared-credentials.json"),
            (.changePassword, #"{ "500px.com": "http://500px.com/" }"#, "500px.com"),
            (.changePassword, #"{ "500px.com": "https://500px.com/ x" }"#, "500px.com"),
            (.changePassword, #"{ "500px.com": "javascript:alert(1)" }"#, "500px.com"),
            (.appendedCodes, #"[ "usaa.com", 7 ]"#, "[1]"),
            (.appendedCodes, #"[ "usaa.com" "#, "line 1"),
        ])
    func mistakes(_ file: SiteFile, _ text: String, _ position: String) throws {
        let folder = try Folder()
        try folder.write(.appendedCodes, #"["usaa.com"]"#)
        try folder.take()
        try folder.write(file, text)
        do {
            try folder.take()
            Issue.record("\(text) was accepted")
        } catch let problem as ConfigurationFileProblem {
            #expect(problem.description.contains(position), "\(problem)")
        }
        #expect(folder.read().sites.appendsCode == ["usaa.com"])
    }

    @Test("A folder without any of the files is refused, and no file is left")
    func empty() throws {
        let folder = try Folder()
        #expect(throws: ConfigurationFileProblem.self) { try folder.take() }
        #expect(!FileManager.default.fileExists(atPath: folder.kept))
        #expect(folder.read().sites.isEmpty)
        #expect(folder.read().problem == nil)
    }

    @Test("A file that is damaged later, or too large, is refused; the previous data is kept until the daemon ends")
    func damaged() throws {
        var isAnother: Bool
        let folder = try Folder()
        try folder.write(.appendedCodes, #"["usaa.com"]"#)
        try folder.take()
        var file = folder.read()
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.kept))
        isAnother = file.reloadIfChanged()
        #expect(!isAnother)
        #expect(file.problem != nil)
        #expect(file.sites.appendsCode == ["usaa.com"])
        try folder.write(.appendedCodes, "[" + String(repeating: " ", count: SiteLimits.bytes) + "]")
        #expect(throws: ConfigurationFileProblem.self) { try folder.take() }
    }

    @Test(
        "The project's own files are accepted completely",
        .enabled(if: FileManager.default.fileExists(atPath: Self.fixtures), "the fixtures are not here"))
    func publicFiles() throws {
        let folder = try Folder()
        let imported = try SiteKnowledgeFile.replace(folder.kept, withFilesOf: Self.fixtures)
        #expect(imported.files == SiteFile.allCases)
        #expect(imported.leftOut.count == 2)
        #expect(imported.sites.rules.count > 400)
        #expect(imported.sites.changePassword.count > 600)
        #expect(imported.sites.groups.count > 100)
        #expect(folder.read().sites == imported.sites)
        #expect(try imported.sites.domainsSharing(with: DomainName("adobe.com")).contains("behance.net"))
    }

    /// Beside the project, where its maintainers have them.
    private static let fixtures =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/shared/fixtures/quirks"
}
