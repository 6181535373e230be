// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Reads `Login Data` of a profile of Chromium, Chrome, Edge, Brave or Vivaldi.
enum ChromiumImport {
    static let name = "chromium-profile"

    static func read(
        _ source: ImportSource, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        try ForeignLibraries.require()
        let database = try MemoryDatabase(source.file)
        let keys = try ChromiumKeys(source.password)
        guard try database.columns(of: "logins").isSuperset(of: ["origin_url", "username_value", "password_value"])
        else {
            throw ConversionError(.unrecognised)
        }
        let notes = try notes(database, keys)
        let collector = try begin(name)
        // Of those under the stored key: logins that were saved before it was replaced stay in the profile.
        var (read, unreadable) = (0, 0)
        let columns = [
            "origin_url", "signon_realm", "username_value", "password_value", "blacklisted_by_user", "scheme",
            "federation_url", "date_created", "date_password_modified", "date_last_used", "id",
        ]
        try database.rows(of: "logins", columns) { row throws(ConversionError) in
            var entry = ForeignEntry()
            entry.title = row.text(0)
            if row.integer(4) != 0 || !row.text(6).isEmpty {
                return collector.report(NotConverted(title: entry.title, reason: .unsupportedKind))
            }
            entry.sites = entry.title.isEmpty ? [] : [entry.title]
            entry.user = row.text(2)
            // Of HTTP authentication: the site's address and the realm.
            let realm = row.text(1)
            if row.integer(5) != 0, realm != entry.title { entry.keep("httpRealm", SecretBytes(utf8: realm)) }
            entry.created = instant(row.integer(7))
            entry.changed = instant(row.integer(8)) ?? entry.created
            entry.used = instant(row.integer(9))
            let sealed = row.bytes(3), isStored = ChromiumKeys.isStored(sealed)
            let password: SecretBytes
            switch try keys.text(sealed) {
            case .success(let text): password = text
            case .failure(let reason):
                if isStored { unreadable += 1 }
                return collector.report(NotConverted(title: entry.title, reason: reason))
            }
            if isStored { read += 1 }
            entry.password = password.count > 0 ? password : nil
            entry.notes = notes[row.integer(10)]
            collector.add(entry)
        }
        if read == 0, unreadable > 0 { throw ConversionError(.wrongPassword) }
        try collector.check()
    }

    /// By the number of the login.
    private static func notes(
        _ database: MemoryDatabase, _ keys: ChromiumKeys
    ) throws(ConversionError) -> [Int64: SecretBytes] {
        var notes: [Int64: SecretBytes] = [:]
        try database.rows(of: "password_notes", ["parent_id", "value"]) { row throws(ConversionError) in
            guard case .success(let text) = try keys.text(row.bytes(1)), text.count > 0 else { return }
            notes[row.integer(0)] = text
        }
        return notes
    }

    /// Microseconds since 1601, as milliseconds since 1970.
    private static func instant(_ microseconds: Int64) -> Int64? {
        let milliseconds = microseconds / 1000 - 11_644_473_600_000
        return (1...253_402_300_799_999).contains(milliseconds) ? milliseconds : nil
    }
}

/// The keys of a profile: a fixed one, and one from the password in Secret Service or KWallet.
struct ChromiumKeys {
    private let fixed: SecretBytes
    private let stored: SecretBytes?

    init(_ password: SecretBytes?) throws(ConversionError) {
        fixed = try Self.key(SecretBytes(utf8: "peanuts"))
        if let password { stored = try Self.key(password) } else { stored = nil }
    }

    /// Whether a value is sealed with the stored key.
    static func isStored(_ value: SecretBytes) -> Bool { value.withUnsafeBytes { $0.starts(with: "v11".utf8) } }

    /// The text of a value; `unreadable` or `notText` where it has none.
    func text(_ value: SecretBytes) throws(ConversionError) -> Result<SecretBytes, NotConverted.Reason> {
        guard let plain = try decrypt(value) else { return .failure(.unreadable) }
        let isText = plain.withUnsafeBytes { SourceText.firstInvalid($0) == nil && !$0.contains(0) }
        return isText ? .success(plain) : .failure(.notText)
    }

    /// nil: it is sealed with another key.
    private func decrypt(_ value: SecretBytes) throws(ConversionError) -> SecretBytes? {
        let isFixed = value.withUnsafeBytes { $0.starts(with: "v10".utf8) }
        let isStored = Self.isStored(value)
        // Of versions before 2014.
        guard isFixed || isStored else { return value }
        guard let key = isFixed ? fixed : stored else { throw ConversionError(.passwordMissing) }
        let nonce = SecretBytes(copying: repeatElement(0x20, count: 16), count: 16)
        return try value.withUnsafeBytes { bytes throws(ConversionError) in
            try Cipher(.aes128, key: key, nonce: nonce).decrypt(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3)))
        }
    }

    private static func key(_ password: SecretBytes) throws(ConversionError) -> SecretBytes {
        try KeyDerivation.pbkdf2(salt: SecretBytes(utf8: "saltysalt"), iterations: 1, hashBits: 160)
            .key(password, count: 16)
    }
}
