// SPDX-License-Identifier: Apache-2.0
import AutofillService
import ConfigurationFiles
import Credentials
import Foundation
import Settings
import Support
import Testing

@Suite("Settings over the wire")
struct SettingTests {
    private static let commandLine = "org.autofilld.autofillctl"

    private func connect(_ daemon: TestService, as app: String = SettingTests.commandLine) throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.hello(app)
        return connection
    }

    private func value(_ name: String, _ connection: ServiceConnection) throws -> String {
        "\(try connection.call("setting.get", ["setting": name]).result?["value"] ?? "none")"
    }

    @Test("What protects the person as much as before is changed by autofillctl at once, and taken back")
    func change() throws {
        let daemon = try TestService()
        let control = try connect(daemon)
        #expect(try value("lockWhenIdleMinutes", control) == "0")
        let change: [String: Any] = ["setting": "lockWhenIdleMinutes", "value": 5]
        #expect(try control.call("admin.setting.set", change).result?["changed"] as? Bool == true)
        #expect(try control.call("admin.setting.set", change).result?["changed"] as? Bool == false)
        #expect(try value("lockWhenIdleMinutes", control) == "5")
        #expect(daemon.settings.lockWhenIdleMinutes == 5)
        #expect(try control.call("setting.get", ["setting": "lockWhenIdleMinutes"]).text("source") == "user")
    }

    @Test(
        "What protects less needs proof, each of them",
        arguments: [
            ("keychain", false as any Sendable), ("autoFill", false), ("strongPasswords", false),
            ("strongPasswordBits", 40), ("vaultKeyFile", "/tmp/key"), ("prompter", "/usr/bin/pinentry-tty"),
            ("lockOnSessionLock", false), ("lockBeforeSleep", false), ("logLevel", "error"), ("logLevel", "notice"),
        ])
    func weakening(setting: String, value: any Sendable) throws {
        let daemon = try TestService()
        let control = try connect(daemon)
        let before = daemon.settings
        let change: [String: Any] = ["setting": setting, "value": value]
        #expect(try control.call("admin.setting.set", change).reasons == ["proof-required"])
        let wrong = ["key": ["base64": Data(repeating: 0, count: 32).base64EncodedString()]]
        #expect(
            try control.call("admin.setting.set", change.merging(["proof": wrong]) { $1 }).reasons == ["proof-wrong"])
        #expect(daemon.settings == before)
        // After a wrong key the next one has to wait.
        daemon.clock.advance(milliseconds: 10_000)
        let proven = change.merging(["proof": Examples.proof]) { $1 }
        #expect(try control.call("admin.setting.set", proven).result?["changed"] as? Bool == true)
        #expect(daemon.settings != before)
    }

    @Test("An app changes nothing without proof, not even what protects more, and not under the command's name")
    func apps() throws {
        let daemon = try TestService()
        let before = daemon.settings
        let shop = try connect(daemon, as: "org.example.Shop")
        let stronger: [String: Any] = ["setting": "strongPasswordBits", "value": 128]
        #expect(try shop.call("admin.setting.set", stronger).reasons == ["proof-required"])
        let own: [String: Any] = ["setting": "strongPasswords", "value": true, "app": "org.example.Shop"]
        #expect(try shop.call("admin.setting.set", own).reasons == ["proof-required"])
        #expect(daemon.settings == before)
    }

    @Test("Strong passwords are set for one app, without touching the others'")
    func byApp() throws {
        let daemon = try TestService()
        let control = try connect(daemon)
        func set(_ app: String, _ isOn: Bool?) throws {
            var change: [String: Any] = ["setting": "strongPasswords", "app": app, "proof": Examples.proof]
            if let isOn { change["value"] = isOn }
            #expect(try control.call("admin.setting.set", change).result?["changed"] as? Bool == true)
        }
        try set("org.example.Shop", false)
        try set("org.example.Bank", false)
        try set("org.example.Bank", nil)
        let settings = daemon.settings
        #expect(settings.strongPasswordsByApp.map { "\($0.key) \($0.value)" } == ["org.example.Shop false"])
        let shop = try connect(daemon, as: "org.example.Shop")
        let own: [String: Any] = ["setting": "strongPasswords", "app": "org.example.Shop"]
        #expect(try shop.call("setting.get", own).result?["value"] as? Bool == false)
        let other = try connect(daemon, as: "org.example.NotSetUp")
        #expect(try other.call("setting.get", own).reasons == ["proof-required"])
    }

    @Test("What tells of other apps and of files is hidden without proof")
    func hidden() throws {
        let control = try connect(try TestService())
        for (proof, hidden) in [
            ([:], ["strongPasswordsByApp", "prompter", "vaultKeyFile"]), (["proof": Examples.proof], []),
        ] as [([String: Any], [String])] {
            let list = try control.call("admin.setting.list", proof).result?["settings"] as? [[String: Any]] ?? []
            #expect(list.compactMap { $0["setting"] as? String } == Setting.allCases.map(\.name))
            #expect(list.filter { $0["hidden"] as? Bool == true }.map { $0["setting"] as? String } == hidden)
        }
        #expect(try control.call("setting.get", ["setting": "vaultKeyFile"]).reasons == ["proof-required"])
    }

    @Test("A wrong name, a wrong value, and an app where none belongs are told by the member's name")
    func malformed() throws {
        let control = try connect(try TestService())
        for (parameters, member) in [
            (["setting": "autofill", "value": true], "setting"),
            (["setting": "lockWhenIdleMinutes", "value": -1], "value"),
            (["setting": "logLevel", "value": "loud"], "value"), (["setting": "autoFill", "value": 1], "value"),
            (["setting": "autoFill", "value": true, "app": "org.example.Shop"], "app"),
            (["setting": "strongPasswords", "value": true, "app": "shop"], "app"),
        ] as [([String: Any], String)] {
            let answer = try control.call("admin.setting.set", parameters)
            #expect(answer.problem == "parameter-invalid" && answer.member == member)
        }
    }

    @Test(
        "What the administrator has fixed is refused also with proof, and told in status where the user's file says otherwise"
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
        #expect(try value("lockWhenIdleMinutes", control) == "10")
        let change: [String: Any] = ["setting": "lockWhenIdleMinutes", "value": 20, "proof": Examples.proof]
        #expect(try control.call("admin.setting.set", change).reasons == ["setting-mandatory"])
        let problems = try control.call("status").result?["problems"] as? [String]
        #expect(problems?.contains { $0.contains("lockWhenIdleMinutes") && $0.contains("administrator") } == true)
    }

    @Test("A prompter on no list is refused with what mends it, and one that stands in the file is told in status")
    func prompter() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = folder + "/settings.json"
        try #"{"prompter": "/usr/bin/python3.11"}"#.write(toFile: user, atomically: false, encoding: .utf8)
        let daemon = try TestService(settingsFiles: SettingsFiles(administrator: nil, user: user, userID: getuid()))
        let control = try connect(daemon)
        func isTold() throws -> Bool {
            let problems = try control.call("status").result?["problems"] as? [String] ?? []
            return problems.contains { $0.hasPrefix("prompter: Nobody can be asked: ") && !$0.contains("python") }
        }
        #expect(try isTold())
        for path in ["/usr/bin/python3.11", "/bin/sh", "/tmp/prompter"] {
            let change: [String: Any] = ["setting": "prompter", "value": path, "proof": Examples.proof]
            let answer = try control.call("admin.setting.set", change)
            #expect(answer.problem == "parameter-invalid")
            #expect("\(answer.error ?? [:])".contains("administrator name it"))
        }
        let listed: [String: Any] = [
            "setting": "prompter", "value": "/usr/bin/pinentry-tty", "proof": Examples.proof,
        ]
        #expect(try control.call("admin.setting.set", listed).result?["changed"] as? Bool == true)
        #expect(try !isTold())
    }

    @Test("A change goes to the file, beside what was edited there meanwhile; a file with mistakes is refused and kept")
    func file() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = folder + "/settings.json"
        let daemon = try TestService(settingsFiles: SettingsFiles(administrator: nil, user: user, userID: getuid()))
        let control = try connect(daemon)
        try #"{"lockWhenIdleMinutes": 3}"#.write(toFile: user, atomically: false, encoding: .utf8)
        #expect(try control.call("admin.setting.set", ["setting": "logLevel", "value": "debug"]).error == nil)
        #expect(
            try String(contentsOfFile: user, encoding: .utf8)
                == "{\n  \"lockWhenIdleMinutes\": 3,\n  \"logLevel\": \"debug\"\n}\n")
        #expect(daemon.settings.lockWhenIdleMinutes == 3)
        try "{".write(toFile: user, atomically: false, encoding: .utf8)
        #expect(
            try control.call("admin.setting.set", ["setting": "logLevel", "value": "info"]).reasons == [
                "settings-invalid"
            ])
        let reload = try daemon.begin { await $0.reload() }
        #expect(reload.result != .some(nil))
        #expect(daemon.settings.logLevel == .debug)
    }

    @Test("Where a fill is asked for every time, a remembered yes does not do")
    func everyTime() throws {
        for (ask, reasons) in [(DaemonSettings.AskBeforeFill.once, []), (.everyTime, ["grant-missing"])]
            as [(DaemonSettings.AskBeforeFill, [String])]
        {
            var settings = DaemonSettings()
            settings.askBeforeFill = ask
            let daemon = try TestService(settings: settings)
            let control = try connect(daemon)
            try control.call(
                "credential.save",
                ["service": Examples.shop, "user": "ann", "password": "secret", "proof": Examples.proof])
            try control.call(
                "admin.grant.allow",
                ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
            let shop = try connect(daemon, as: "org.example.Shop")
            for _ in 0..<2 {
                #expect(try shop.call("credential.get", ["service": Examples.shop]).reasons == reasons)
            }
        }
    }
}
