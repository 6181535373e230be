// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Glibc
import Settings
import Testing

@Suite("Files of settings")
struct SettingsFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func load(_ text: String) throws -> DaemonSettings {
        try load(at: directory.write(text, to: "settings.json"))
    }

    private func load(at path: String, over base: DaemonSettings = DaemonSettings()) throws -> DaemonSettings {
        try SettingsFiles(
            administrator: nil, user: path, userID: geteuid(), withoutAdministrator: SettingsDocument(base)
        ).load().effective
    }

    private func problem(_ text: String) throws -> [String] {
        let path = "\(directory.path)/settings.json"
        let problem = #expect(throws: ConfigurationFileProblem.self) { try load(text) }
        #expect(problem?.file == path)
        return problem?.mistakes.map(\.description) ?? []
    }

    @Test("A missing file leaves what was before")
    func missing() throws {
        var base = DaemonSettings()
        base.autoFill = false
        let path = "\(directory.path)/none/settings.json"
        #expect(try load(at: path, over: base) == base)
    }

    @Test("A file's settings are read")
    func settings() throws {
        let settings = try load(#"{"strongPasswordBits": 100, "strongPasswordsByApp": {"org.example.Shop": false}}"#)
        #expect(settings.strongPasswordBits == 100)
        #expect(settings.strongPasswordsByApp.count == 1)
    }

    @Test("Where the text is no JSON the problem states the line and the column")
    func position() throws {
        #expect(
            try problem("{\n  \"keychain\": true,\n  \"ä\": 'x'\n}") == [
                "line 3, column 8: A JSON value was expected. JSON has no comments, trailing commas or single quotes."
            ])
        #expect(try problem("") == ["line 1, column 1: The file is empty. Write a JSON object."])
        #expect(
            try problem("{\"keychain\": true, \"keychain\": false}").first
                == "line 1, column 20: The object has two members of the same name. Keep one of them.")
    }

    @Test("All wrong settings are reported at once")
    func mistakes() throws {
        #expect(
            try problem(#"{"keychain": 1, "lockWhenIdleMinutes": 1.5, "autofill": true}"#) == [
                #"autofill: There is no such member. Did you mean "autoFill"?"#,
                "keychain: This is a whole number, where true or false is expected. Write true or false.",
                "lockWhenIdleMinutes: This is a number with a fraction or exponent, or a very large one, "
                    + "where a whole number from 0 to 10080 is expected. Write a whole number from 0 to 10080.",
            ])
    }

    @Test("A file that others could have written is refused")
    func trust() throws {
        let path = try directory.write("{}", to: "settings.json")
        chmod(path, 0o622)
        #expect(throws: ConfigurationFileProblem.self) { try load(at: path) }
        chmod(path, 0o644)
        #expect(try load(at: path) == DaemonSettings())
    }
}
