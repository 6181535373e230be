// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Settings
import Testing

@Suite("Settings")
struct DaemonSettingsTests {
    private func object(_ members: [(String, ConfigurationValue)]) -> ConfigurationValue {
        .object(members.map { ConfigurationValue.Member(name: $0.0, value: $0.1) })
    }

    private func read(_ members: [(String, ConfigurationValue)]) throws(ConfigurationMistakes) -> DaemonSettings {
        try SettingsDocument(object(members), of: .user).settings
    }

    private func mistakes(_ members: [(String, ConfigurationValue)]) -> [ConfigurationMistake] {
        do {
            _ = try read(members)
            return []
        } catch {
            return error.mistakes
        }
    }

    @Test("An empty file leaves the defaults")
    func defaults() throws {
        let settings = try read([])
        #expect(settings == DaemonSettings())
        #expect(settings.keychain && settings.autoFill && settings.strongPasswords)
        #expect(settings.strongPasswordBits == 71 && settings.strongPasswordStyle == .readable)
        #expect(settings.lockWhenIdleMinutes == 0 && settings.vaultKeyFile == nil)
    }

    @Test("Every setting is read from a file, and written as it was read")
    func everySetting() throws {
        let app = "org.example.Shop"
        let members: [(String, ConfigurationValue)] = [
            ("keychain", .bool(false)), ("autoFill", .bool(false)), ("strongPasswords", .bool(false)),
            ("strongPasswordsByApp", object([(app, .bool(true))])), ("strongPasswordStyle", .string("random")),
            ("strongPasswordBits", .integer(128)), ("siteAssociation", .string("advisory")),
            ("offerLifetimeMinutes", .integer(60)),
            ("askBeforeFill", .string("everyTime")), ("askInBrowser", .string("once")),
            ("secretService.isolation", .string("none")), ("prompter", .string("/usr/bin/pinentry-tty")),
            ("saveSubmitted", .string("always")),
            ("lockWhenIdleMinutes", .integer(15)), ("terminalProofMinutes", .integer(1)),
            ("lockOnSessionLock", .bool(false)),
            ("lockBeforeSleep", .bool(false)), ("vaultKeyFile", .string("/run/key")),
            ("automaticBackups", .integer(3)), ("keepDeletedDays", .integer(90)),
            ("journalDomains", .string("hidden")), ("logLevel", .string("debug")),
        ]
        #expect(members.map(\.0) == Setting.allCases.map(\.name))
        let settings = try read(members)
        for (setting, member) in zip(Setting.allCases, members) {
            #expect(settings.value(of: setting) == member.1)
            #expect(settings.value(of: setting) != setting.defaultValue)
        }
        var changed = DaemonSettings()
        for (setting, member) in zip(Setting.allCases, members) { try changed.set(setting, to: member.1) }
        #expect(changed == settings)
    }

    @Test("What a file does not name stays as the base has it")
    func base() throws {
        var base = DaemonSettings()
        base.lockWhenIdleMinutes = 5
        let file = try SettingsDocument(object([("autoFill", .bool(false))]), of: .user)
        let settings = SettingsLayers(administrator: SettingsDocument(base), user: file).effective
        #expect(settings.lockWhenIdleMinutes == 5)
        #expect(!settings.autoFill)
    }

    @Test("A wrong value is named by its path, with what would be right")
    func wrongValues() {
        let found = mistakes([
            ("keychain", .string("yes")), ("strongPasswordBits", .integer(39)), ("lockWhenIdleMinutes", .otherNumber),
            ("strongPasswordStyle", .string("readible")), ("logLevel", .string("loud")),
            ("vaultKeyFile", .string("key")),
            ("strongPasswordsByApp", object([("Shop", .bool(true)), ("org.example.Shop", .integer(1))])),
            ("autofill", .bool(true)), ("$schema", .integer(1)),
        ])
        #expect(
            Set(found.map(\.path)) == [
                "keychain", "strongPasswordBits", "lockWhenIdleMinutes", "strongPasswordStyle", "logLevel",
                "vaultKeyFile",
                "strongPasswordsByApp.Shop", #"strongPasswordsByApp."org.example.Shop""#, "autofill", "$schema",
            ])
        #expect(found.first { $0.path == "strongPasswordStyle" }?.fix == #"Did you mean "readable"?"#)
        #expect(found.first { $0.path == "autofill" }?.fix == #"Did you mean "autoFill"?"#)
        #expect(found.first { $0.path == "strongPasswordBits" }?.fix == "Write a number from 40 to 256.")
    }

    @Test("A refused change changes nothing")
    func refusedChange() {
        var settings = DaemonSettings()
        #expect(throws: ConfigurationMistakes.self) { try settings.set(.lockWhenIdleMinutes, to: .integer(-1)) }
        #expect(throws: ConfigurationMistakes.self) { try settings.set(.logLevel, to: .null) }
        #expect(settings == DaemonSettings())
    }

    @Test("An app's own setting for strong passwords precedes the one for all")
    func byApp() throws {
        let (shop, mail) = (try BundleIdentifier("org.example.Shop"), try BundleIdentifier("org.example.Mail"))
        var settings = DaemonSettings()
        settings.strongPasswordsByApp = [shop: false]
        #expect(!settings.offersStrongPasswords(to: shop) && settings.offersStrongPasswords(to: mail))
        settings.strongPasswords = false
        settings.strongPasswordsByApp = [shop: true]
        #expect(settings.offersStrongPasswords(to: shop) && !settings.offersStrongPasswords(to: mail))
    }

    @Test("The table is complete: each setting has a type, a range, a summary and a default within the range")
    func table() throws {
        for setting in Setting.allCases {
            #expect(!setting.type.isEmpty && !setting.range.isEmpty)
            #expect(setting.summary.hasSuffix("."))
            var settings = DaemonSettings()
            try settings.set(setting, to: setting.defaultValue)
            #expect(settings == DaemonSettings())
        }
    }

    @Test(
        "A change that removes protection is a weakening, and its reverse is none",
        arguments: [
            (Setting.strongPasswords, ConfigurationValue.bool(true), ConfigurationValue.bool(false)),
            (.strongPasswordBits, .integer(100), .integer(60)),
            (.lockWhenIdleMinutes, .integer(5), .integer(10)),
            (.lockWhenIdleMinutes, .integer(5), .integer(0)),
            (.terminalProofMinutes, .integer(0), .integer(5)), (.terminalProofMinutes, .integer(5), .integer(10)),
            (.vaultKeyFile, .null, .string("/run/key")),
            (.askBeforeFill, .string("everyTime"), .string("once")),
            (.askInBrowser, .string("perSite"), .string("once")),
            (.secretServiceIsolation, .string("apps"), .string("none")),
            (.lockOnSessionLock, .bool(true), .bool(false)), (.lockBeforeSleep, .bool(true), .bool(false)),
            (.journalDomains, .string("hidden"), .string("hashed")),
            (.journalDomains, .string("hashed"), .string("full")),
            (.logLevel, .string("notice"), .string("error")),
            (.automaticBackups, .integer(7), .integer(0)), (.keepDeletedDays, .integer(30), .integer(1)),
        ])
    func weakening(setting: Setting, strong: ConfigurationValue, weak: ConfigurationValue) throws {
        var (before, after) = (DaemonSettings(), DaemonSettings())
        try before.set(setting, to: strong)
        try after.set(setting, to: weak)
        #expect(Setting.weakened(from: before, to: after).contains(setting))
        #expect(Setting.weakened(from: after, to: before).isEmpty)
        #expect(Setting.weakened(from: before, to: before).isEmpty)
    }

    @Test("Another prompter is a weakening, whichever it was: the passphrase is typed there")
    func prompter() throws {
        var other = DaemonSettings()
        try other.set(.prompter, to: .string("/usr/bin/pinentry-tty"))
        #expect(Setting.weakened(from: DaemonSettings(), to: other) == [.prompter])
        #expect(Setting.weakened(from: other, to: DaemonSettings()) == [.prompter])
    }

    @Test("Keychain and AutoFill are guarded in both directions; style and log level are not")
    func guarded() throws {
        for setting in [Setting.keychain, .autoFill] {
            var off = DaemonSettings()
            try off.set(setting, to: .bool(false))
            #expect(Setting.weakened(from: DaemonSettings(), to: off) == [setting])
            #expect(Setting.weakened(from: off, to: DaemonSettings()) == [setting])
        }
        var free = DaemonSettings()
        (free.strongPasswordStyle, free.logLevel, free.offerLifetimeMinutes) = (.random, .debug, 5)
        #expect(Setting.weakened(from: DaemonSettings(), to: free).isEmpty)
    }

    @Test("Turning strong passwords off for one app is a weakening, turning them on is none")
    func weakeningByApp() throws {
        let app = try BundleIdentifier("org.example.Shop")
        var off = DaemonSettings()
        off.strongPasswordsByApp = [app: false]
        #expect(Setting.weakened(from: DaemonSettings(), to: off) == [.strongPasswordsByApp])
        #expect(Setting.weakened(from: off, to: DaemonSettings()).isEmpty)
        var on = DaemonSettings()
        on.strongPasswordsByApp = [app: true]
        #expect(Setting.weakened(from: DaemonSettings(), to: on).isEmpty)
    }
}
