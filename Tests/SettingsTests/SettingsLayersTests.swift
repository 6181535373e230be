// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Settings
import Testing

@Suite("The administrator's settings and the user's")
struct SettingsLayersTests {
    private func document(
        _ members: [(String, ConfigurationValue)], of owner: SettingsDocument.Owner = .user
    ) throws -> SettingsDocument {
        try SettingsDocument(.object(members.map { ConfigurationValue.Member(name: $0.0, value: $0.1) }), of: owner)
    }

    @Test("The user's setting overrides the administrator's, and that the default")
    func order() throws {
        let layers = SettingsLayers(
            administrator: try document(
                [("lockWhenIdleMinutes", .integer(5)), ("logLevel", .string("debug"))], of: .administrator),
            user: try document([("logLevel", .string("error"))]))
        #expect(layers.effective.lockWhenIdleMinutes == 5 && layers.effective.logLevel == .error)
        #expect(layers.source(of: .lockWhenIdleMinutes) == .administrator)
        #expect(layers.source(of: .logLevel) == .user && layers.source(of: .keychain) == .standard)
        #expect(layers.overruled.isEmpty)
    }

    @Test("What is mandatory holds against the user, with the administrator's value or the default")
    func mandatory() throws {
        let layers = SettingsLayers(
            administrator: try document(
                [
                    ("lockWhenIdleMinutes", .integer(5)),
                    ("mandatory", .array([.string("lockWhenIdleMinutes"), .string("autoFill")])),
                ], of: .administrator),
            user: try document([("lockWhenIdleMinutes", .integer(0)), ("autoFill", .bool(false))]))
        #expect(layers.effective.lockWhenIdleMinutes == 5 && layers.effective.autoFill)
        #expect(layers.source(of: .lockWhenIdleMinutes) == .administrator)
        #expect(layers.source(of: .autoFill) == .standard && layers.isMandatory(.autoFill))
        #expect(layers.overruled == [.autoFill, .lockWhenIdleMinutes])
        #expect(try layers.changing(.autoFill, to: nil).overruled == [.lockWhenIdleMinutes])
    }

    @Test("Only the administrator's file can make anything mandatory, and only what there is")
    func whose() throws {
        #expect(throws: ConfigurationMistakes.self) { try document([("mandatory", .array([]))]) }
        let mistakes = #expect(throws: ConfigurationMistakes.self) {
            try document([("mandatory", .array([.string("autofill"), .integer(1)]))], of: .administrator)
        }
        #expect(mistakes?.mistakes.map(\.path) == ["mandatory[0]", "mandatory[1]"])
        #expect(mistakes?.mistakes.first?.fix == #"Did you mean "autoFill"?"#)
    }

    @Test("Only the administrator's file names prompters, by absolute paths")
    func prompters() throws {
        let named: [(String, ConfigurationValue)] = [("prompters", .array([.string("/opt/ask")]))]
        #expect(throws: ConfigurationMistakes.self) { try document(named) }
        #expect(try document(named, of: .administrator).prompters.map(\.text) == ["/opt/ask"])
        let mistakes = #expect(throws: ConfigurationMistakes.self) {
            try document([("prompters", .array([.string("ask")]))], of: .administrator)
        }
        #expect(mistakes?.mistakes.map(\.path) == ["prompters[0]"])
    }

    @Test("A change names what differs, and reverting it leaves nothing")
    func changes() throws {
        let before = SettingsLayers()
        let after = try before.changing(.logLevel, to: .string("debug"))
        #expect(after.differences(from: before) == [.logLevel])
        #expect(try after.changing(.logLevel, to: nil) == before)
        #expect(throws: ConfigurationMistakes.self) { try before.changing(.logLevel, to: .integer(3)) }
    }

    @Test("A document of settings names those that are not the default")
    func fromSettings() throws {
        var settings = DaemonSettings()
        settings.autoFill = false
        let document = SettingsDocument(settings)
        #expect(document.named == [.autoFill])
        #expect(SettingsLayers(user: document).effective == settings)
    }
}
