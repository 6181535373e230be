// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Reads the logins of a Firefox profile: `logins.json`, with `key4.db` as its key file.
enum FirefoxImport {
    static let name = "firefox-profile"

    static func read(
        _ source: ImportSource, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        try ForeignLibraries.require()
        guard let keyFile = source.keyFile else { throw ConversionError(.keyFileMissing) }
        let keys = try FirefoxKeys(keyFile, password: source.password)
        let collector = try begin(name)
        let logins = try JSONFile.read(source.file) { value, _ throws(JSONError) in
            for host in try value.list("disabledHosts") {
                collector.report(NotConverted(title: try host.string(), reason: .unsupportedKind))
            }
            return try value.list("logins").map { login throws(JSONError) in try Login(login) }
        }
        for login in logins { try login.pass(to: collector, keys) }
        try collector.check()
    }

    private struct Login {
        var entry = ForeignEntry()
        let user: SecretBytes?
        let password: SecretBytes?
        let isDeleted: Bool

        init(_ value: JSONValue) throws(JSONError) {
            isDeleted = try value.optional("deleted")?.bool() ?? false
            entry.title = try value.text("hostname")
            entry.sites = entry.title.isEmpty ? [] : [entry.title]
            entry.created = try value.instant("timeCreated")
            entry.changed = try value.instant("timePasswordChanged")
            entry.used = try value.instant("timeLastUsed")
            if let realm = try value.secret("httpRealm") { entry.keep("httpRealm", realm) }
            user = try value.secret("encryptedUsername")
            password = try value.secret("encryptedPassword")
        }

        consuming func pass(to collector: RecordCollector, _ keys: FirefoxKeys) throws(ConversionError) {
            if isDeleted { return collector.report(NotConverted(title: entry.title, reason: .deleted)) }
            // Logins that were saved before key4.db was created again stay in the profile.
            guard let user = try Self.decrypt(user, keys), let password = try Self.decrypt(password, keys) else {
                return collector.report(NotConverted(title: entry.title, reason: .unreadable))
            }
            let isText = [user, password].allSatisfy { value in
                value.withUnsafeBytes { SourceText.firstInvalid($0) == nil && !$0.contains(0) }
            }
            guard isText else { return collector.report(NotConverted(title: entry.title, reason: .notText)) }
            entry.user = user.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            entry.password = password.count > 0 ? password : nil
            collector.add(entry)
        }

        /// Empty where there is none; nil where it cannot be decrypted.
        private static func decrypt(_ value: SecretBytes?, _ keys: FirefoxKeys) throws(ConversionError) -> SecretBytes?
        {
            guard let value else { return SecretBytes(utf8: "") }
            guard let sealed = value.withUnsafeBytes({ Base64.decode($0) }) else { return nil }
            do throws(ConversionError) {
                return try keys.decrypt(sealed)
            } catch {
                // It is of this login alone.
                guard [.damaged, .unsupportedCipher].contains(error.problem) else { throw error }
                return nil
            }
        }
    }
}
