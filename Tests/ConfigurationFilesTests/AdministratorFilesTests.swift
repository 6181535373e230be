// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import Foundation
import Glibc
import Testing

@Suite("What an administrator declares", .enabled(if: isRoot, "needs root, to make root's files"))
struct AdministratorFilesTests {
    /// Under a directory that only root writes.
    private let directory: TemporaryDirectory
    private let delegates: String
    private let families: String

    init() throws {
        directory = try TemporaryDirectory(in: "/var/lib")
        chmod(directory.path, 0o755)
        delegates = directory.makeDirectory("delegates")
        families = directory.makeDirectory("families")
    }

    @Test("A family shares schemas among its programs; a mistake in it is reported, and it shares none")
    func sharing() throws {
        func load() -> SecretFamilyDirectories {
            SecretFamilyDirectories([families], now: { RegistrationDirectories.fileClock() + 60_000_000_000 })
        }
        try directory.write(#"{"schemas": ["org.example.A"], "executables": ["/usr/bin/a"]}"#, to: "families/a.json")
        #expect(load().declarations.map(\.name) == ["a"])
        #expect(load().declarations.first?.schemas == ["org.example.A"])
        try directory.write(#"{"schemas": ["org.example.A"], "executables": ["a"]}"#, to: "families/a.json")
        #expect(load().declarations.isEmpty)
    }

    @Test("Mistakes in delegates and families are reported, each with its file, and until they are corrected")
    func problems() throws {
        var files = AdministratorFiles(
            delegates: [delegates], families: [families], now: { RegistrationDirectories.fileClock() + 60_000_000_000 })
        #expect(files.problems.isEmpty)
        let delegate = try directory.write("{}", to: "delegates/web.json")
        let family = try directory.write("{", to: "families/mail.json")
        files.reloadIfChanged()
        #expect(files.problems.map(\.file) == [delegate, family])
        try directory.write(#"{"executables": ["/usr/libexec/web"]}"#, to: "delegates/web.json")
        try FileManager.default.removeItem(atPath: family)
        files.reloadIfChanged()
        #expect(files.problems.isEmpty)
    }
}
