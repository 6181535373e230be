// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import Foundation
import SecretMemory
import Settings
import Support
import Testing

@Suite("Settings over the wire")
struct SettingTests {
    private static let commandLine = "org.autofilld.autofillctl"

    private func connect(_ daemon: TestService, as app: String = SettingTests.commandLine) throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        return connection
    }

    private func value(_ name: String, _ connection: ServiceConnection) throws -> SettingValue? {
        try connection.answer(to: SettingGet(setting: name)).value
    }

    @Test("What protects the user as much as before is changed by autofillctl at once, and reset")
    func change() throws {
        let daemon = try TestService()
        let control = try connect(daemon)
        #expect(try value("lockWhenIdleMinutes", control) == .integer(0))
        let change = SettingSet(setting: "lockWhenIdleMinutes", value: .integer(5))
        #expect(try control.answer(to: change).changed)
        #expect(try !control.answer(to: change).changed)
        #expect(try value("lockWhenIdleMinutes", control) == .integer(5))
        #expect(daemon.settings.lockWhenIdleMinutes == 5)
        #expect(try control.answer(to: SettingGet(setting: "lockWhenIdleMinutes")).source == "user")
    }

    @Test(
        "What protects less needs proof, each of them",
        arguments: [
            ("keychain", SettingValue.bool(false)), ("autoFill", .bool(false)), ("strongPasswords", .bool(false)),
            ("strongPasswordBits", .integer(40)), ("vaultKeyFile", .string("/tmp/key")),
            ("prompter", .string("/usr/bin/pinentry-tty")), ("lockOnSessionLock", .bool(false)),
            ("lockBeforeSleep", .bool(false)), ("logLevel", .string("error")), ("logLevel", .string("notice")),
        ])
    func weakening(setting: String, value: SettingValue) throws {
        let daemon = try TestService()
        let control = try connect(daemon)
        let before = daemon.settings
        #expect(try control.reasons(for: SettingSet(setting: setting, value: value)) == ["proof-required"])
        #expect(
            try control.reasons(for: SettingSet(setting: setting, value: value, proof: .wrong)) == ["proof-wrong"])
        #expect(daemon.settings == before)
        // After a wrong key the next one has to wait.
        daemon.clock.advance(milliseconds: 10_000)
        #expect(try control.answer(to: SettingSet(setting: setting, value: value, proof: .test)).changed)
        #expect(daemon.settings != before)
    }

    @Test("An app changes nothing without proof, not even what protects more, and not under the command's name")
    func apps() throws {
        let daemon = try TestService()
        let before = daemon.settings
        let shop = try connect(daemon, as: "org.example.Shop")
        let stronger = SettingSet(setting: "strongPasswordBits", value: .integer(128))
        #expect(try shop.reasons(for: stronger) == ["proof-required"])
        let own = SettingSet(setting: "strongPasswords", value: .bool(true), app: "org.example.Shop")
        #expect(try shop.reasons(for: own) == ["proof-required"])
        #expect(daemon.settings == before)
    }

    @Test("Strong passwords are set for one app, without touching the others'")
    func byApp() throws {
        let daemon = try TestService()
        let control = try connect(daemon)
        for (app, value) in [
            ("org.example.Shop", SettingValue.bool(false)), ("org.example.Bank", .bool(false)),
            ("org.example.Bank", nil),
        ] {
            let change = SettingSet(setting: "strongPasswords", value: value, app: app, proof: .test)
            #expect(try control.answer(to: change).changed)
        }
        let settings = daemon.settings
        #expect(settings.strongPasswordsByApp.map { "\($0.key) \($0.value)" } == ["org.example.Shop false"])
        let own = SettingGet(setting: "strongPasswords", app: "org.example.Shop")
        #expect(try connect(daemon, as: "org.example.Shop").answer(to: own).value == .bool(false))
        #expect(try connect(daemon, as: "org.example.NotSetUp").reasons(for: own) == ["proof-required"])
    }

    @Test("What concerns other apps and files is hidden without proof")
    func hidden() throws {
        let control = try connect(try TestService())
        for (proof, hidden) in [(nil, ["strongPasswordsByApp", "prompter", "vaultKeyFile"]), (Proof.test, [])] {
            let settings = try control.answer(to: SettingList(proof: proof)).settings
            #expect(settings.map(\.setting) == Setting.allCases.map(\.name))
            #expect(settings.filter(\.isHidden).map(\.setting) == hidden)
        }
        #expect(try control.reasons(for: SettingGet(setting: "vaultKeyFile")) == ["proof-required"])
    }

    @Test("A wrong name, a wrong value, and an app where none belongs are reported by the member's name")
    func malformed() throws {
        let control = try connect(try TestService())
        for (change, member) in [
            (SettingSet(setting: "autofill", value: .bool(true)), "setting"),
            (SettingSet(setting: "lockWhenIdleMinutes", value: .integer(-1)), "value"),
            (SettingSet(setting: "logLevel", value: .string("loud")), "value"),
            (SettingSet(setting: "autoFill", value: .integer(1)), "value"),
            (SettingSet(setting: "autoFill", value: .bool(true), app: "org.example.Shop"), "bundleID"),
            (SettingSet(setting: "strongPasswords", value: .bool(true), app: "shop"), "bundleID"),
        ] {
            let refused = try #require(try control.refusal(of: change))
            #expect(refused.reasons.map(\.reason) == ["parameter-invalid"])
            #expect(refused.reasons.first?.parameters["member"] == member)
        }
    }

    @Test(
        "What the administrator has fixed is refused also with proof, and reported in status where the user's file differs"
    )
    func mandatory() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (system, user) = (folder + "/system.json", folder + "/settings.json")
        try #"{"lockWhenIdleMinutes": 10, "mandatory": ["lockWhenIdleMinutes"]}"#.write(
            toFile: system, atomically: false, encoding: .utf8)
        try #"{"lockWhenIdleMinutes": 0}"#.write(toFile: user, atomically: false, encoding: .utf8)
        let daemon = try TestService(
            settingsFiles: SettingsFiles(administrator: system, user: user, userID: getuid()))
        let control = try connect(daemon)
        #expect(try value("lockWhenIdleMinutes", control) == .integer(10))
        let change = SettingSet(setting: "lockWhenIdleMinutes", value: .integer(20), proof: .test)
        #expect(try control.reasons(for: change) == ["setting-mandatory"])
        let problems = try control.answer(to: Status()).daemon?.problems ?? []
        #expect(problems.contains { $0.contains("lockWhenIdleMinutes") && $0.contains("administrator") })
    }

    @Test("A prompter on no list is refused with its fix, and one that is in the file is reported in status")
    func prompter() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = folder + "/settings.json"
        try #"{"prompter": "/usr/bin/python3.11"}"#.write(toFile: user, atomically: false, encoding: .utf8)
        let daemon = try TestService(settingsFiles: SettingsFiles(administrator: nil, user: user, userID: getuid()))
        let control = try connect(daemon)
        func isReported() throws -> Bool {
            let problems = try control.answer(to: Status()).daemon?.problems ?? []
            return problems.contains {
                $0.hasPrefix("prompter: Nobody can be asked: ") && !$0.contains("python")
            }
        }
        #expect(try isReported())
        for path in ["/usr/bin/python3.11", "/bin/sh", "/tmp/prompter"] {
            let refused = try #require(
                try control.refusal(of: SettingSet(setting: "prompter", value: .string(path), proof: .test)))
            #expect(refused.reasons.map(\.reason) == ["parameter-invalid"])
            #expect("\(refused.reasons)".contains("administrator name it"))
        }
        let listed = SettingSet(setting: "prompter", value: .string("/usr/bin/pinentry-tty"), proof: .test)
        #expect(try control.answer(to: listed).changed)
        #expect(try !isReported())
    }

    @Test(
        "A change is written to the file, beside what was edited there meanwhile; a file with mistakes is refused and kept"
    )
    func file() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = folder + "/settings.json"
        let daemon = try TestService(settingsFiles: SettingsFiles(administrator: nil, user: user, userID: getuid()))
        let control = try connect(daemon)
        try #"{"lockWhenIdleMinutes": 3}"#.write(toFile: user, atomically: false, encoding: .utf8)
        try control.answer(to: SettingSet(setting: "logLevel", value: .string("debug")))
        #expect(
            try String(contentsOfFile: user, encoding: .utf8)
                == "{\n  \"lockWhenIdleMinutes\": 3,\n  \"logLevel\": \"debug\"\n}\n")
        #expect(daemon.settings.lockWhenIdleMinutes == 3)
        try "{".write(toFile: user, atomically: false, encoding: .utf8)
        #expect(
            try control.reasons(for: SettingSet(setting: "logLevel", value: .string("info"))) == ["settings-invalid"])
        let reload = try daemon.begin { await $0.reload() }
        #expect(reload.result != .some(nil))
        #expect(daemon.settings.logLevel == .debug)
    }

    @Test("Where a fill is asked for every time, a remembered yes does not do")
    func everyTime() throws {
        for (ask, reasons) in [(DaemonSettings.AskBeforeFill.once, []), (.everyTime, ["grant-missing"])] {
            var settings = DaemonSettings()
            settings.askBeforeFill = ask
            let daemon = try TestService(settings: settings)
            let control = try connect(daemon)
            try control.answer(
                to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "secret"), proof: .test))
            try control.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
            let shop = try connect(daemon, as: "org.example.Shop")
            for _ in 0..<2 {
                #expect(try shop.reasons(for: CredentialGet(service: .shop)) == reasons)
            }
        }
    }
}
