// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Foundation
import Settings
import Testing

@Suite("The settings' files, read and written")
struct SettingsFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func files(_ user: String = "settings.json") -> SettingsFiles {
        SettingsFiles(
            administrator: directory.path + "/system.json", user: directory.path + "/" + user, userID: geteuid())
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)
    }

    @Test("A setting is written to a new file that only the user can read, in a new directory")
    func create() throws {
        let files = files("config/autofilld/settings.json")
        #expect(try files.load() == SettingsLayers())
        try files.write(.logLevel, .string("debug"))
        #expect(try text("config/autofilld/settings.json") == "{\n  \"logLevel\": \"debug\"\n}\n")
        #expect(try files.load().effective.logLevel == .debug)
        var status = stat()
        #expect(stat(directory.path + "/config/autofilld/settings.json", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(stat(directory.path + "/config", &status) == 0 && status.st_mode & 0o7777 == 0o700)
    }

    @Test("The other members stay as they are, in their order")
    func change() throws {
        try directory.write(
            #"{"$schema": "x", "strongPasswordsByApp": {"org.example.B": true, "org.example.A": false}, "autoFill": false}"#,
            to: "settings.json")
        let files = files()
        try files.write(.autoFill, .bool(true))
        try files.write(.keychain, .bool(false))
        #expect(
            try text("settings.json") == """
                {
                  "$schema": "x",
                  "strongPasswordsByApp": {"org.example.B": true, "org.example.A": false},
                  "autoFill": true,
                  "keychain": false
                }

                """)
        try files.write(.strongPasswordsByApp, nil)
        try files.write(.autoFill, nil)
        #expect(try text("settings.json") == "{\n  \"$schema\": \"x\",\n  \"keychain\": false\n}\n")
    }

    @Test("A file with mistakes is not touched")
    func mistakes() throws {
        try directory.write(#"{"autofill": true}"#, to: "settings.json")
        #expect(throws: ConfigurationFileProblem.self) { try files().write(.autoFill, .bool(true)) }
        #expect(try text("settings.json") == #"{"autofill": true}"#)
    }

    @Test("A link is followed, and stays a link")
    func link() throws {
        try directory.write("{}", to: "dotfiles/settings.json")
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/settings.json", withDestinationPath: "dotfiles/settings.json")
        try files().write(.logLevel, .string("debug"))
        #expect(try text("dotfiles/settings.json").contains("debug"))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: directory.path + "/settings.json")
                == "dotfiles/settings.json")
    }

    @Test("The administrator's file is read first, and its mistakes are reported with its name")
    func administrator() throws {
        try directory.write(#"{"lockWhenIdleMinutes": 5, "mandatory": ["lockWhenIdleMinutes"]}"#, to: "system.json")
        try directory.write(#"{"lockWhenIdleMinutes": 0}"#, to: "settings.json")
        #expect(try files().load().effective.lockWhenIdleMinutes == 5)
        try directory.write(#"{"mandatory": true}"#, to: "system.json")
        let problem = #expect(throws: ConfigurationFileProblem.self) { try files().load() }
        #expect(problem?.file == directory.path + "/system.json")
    }

    @Test("A file names prompters only where root alone could have put it there")
    func prompters() throws {
        try directory.write(#"{"prompters": ["/opt/ask"]}"#, to: "system.json")
        let problem = #expect(throws: ConfigurationFileProblem.self) { try files().load() }
        #expect(problem?.mistakes.first?.fix.contains("/etc/autofilld/settings.json") == true)
        guard geteuid() == 0 else { return }
        let own = try TemporaryDirectory(in: "/var/lib")
        try own.write(#"{"prompters": ["/opt/ask"]}"#, to: "system.json")
        let roots = SettingsFiles(
            administrator: own.path + "/system.json", user: own.path + "/none.json", userID: geteuid())
        #expect(try roots.load().administrator.prompters.map(\.text) == ["/opt/ask"])
    }
}
