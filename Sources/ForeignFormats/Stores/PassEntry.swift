// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// One file of a store: the password in its first line, then values by name, the URI of one-time codes, and any text.
enum PassEntry {
    private static let users: Set = ["user", "username", "login", "user name", "login name"]
    private static let sites: Set = ["url", "uri", "site", "website", "link", "address"]
    private static let codes: Set = ["otp", "totp", "otpauth"]
    private static let notes: Set = ["note", "notes", "comment", "comments"]

    static func entry(_ path: String, _ text: SecretBytes, reporting collector: RecordCollector) -> ForeignEntry {
        var entry = ForeignEntry()
        let names = path.split(separator: "/").map(String.init)
        entry.title = names.last ?? path
        entry.folder = names.dropLast().joined(separator: "/")
        var codeTexts: [SecretBytes] = []
        var noteLines: [Slice<UnsafeRawBufferPointer>] = []
        text.withUnsafeBytes { bytes in
            var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(withoutReturn)[...]
            // gopass had a form with headers, the password among them.
            let hasHeaders = lines.first?.elementsEqual("GOPASS-SECRET-1.0".utf8) ?? false
            if let first = lines.popFirst(), !hasHeaders, !first.isEmpty { entry.password = secret(first) }
            for line in lines {
                if line.starts(with: "otpauth://".utf8) {
                    codeTexts.append(secret(line))
                    continue
                }
                guard let (name, value) = pair(line) else {
                    // A separator of YAML.
                    if !line.elementsEqual("---".utf8) { noteLines.append(line) }
                    continue
                }
                switch name.lowercased() {
                case "password" where hasHeaders && entry.password == nil: entry.password = secret(value)
                case let key where users.contains(key) && entry.user.isEmpty:
                    entry.user = String(decoding: value, as: UTF8.self)
                case let key where sites.contains(key): entry.sites.append(String(decoding: value, as: UTF8.self))
                case let key where codes.contains(key): codeTexts.append(secret(value))
                case let key where notes.contains(key): noteLines.append(value)
                default: entry.keep(name, secret(value), isSecret: true)
                }
            }
            entry.notes = joined(noteLines)
        }
        if !readSite(names, &entry) {
            // Without a site an entry is recognised by its title, and several sites may have this user.
            entry.title = path
            collector.report(NotConverted(title: path, what: .site, reason: .unclear))
        }
        // After title and user, which its URI names.
        for text in codeTexts { entry.setCode(text, reporting: collector) }
        entry.kind = entry.hasLogin ? .login : .note
        return entry
    }

    /// The site and the user, where only the path names them: `web/shop.example/ann`.
    ///
    /// - Returns: false where the last name may be the site as well as the user; then there is neither.
    private static func readSite(_ names: [String], _ entry: inout ForeignEntry) -> Bool {
        guard var index = names.lastIndex(where: isDomain) else { return true }
        if entry.sites.isEmpty, index == names.count - 1, let former = names[..<index].lastIndex(where: isDomain),
            !isWithin(names[index], names[former])
        {
            switch Reading(names[index], isNext: former == index - 1, user: entry.user) {
            case .site: break
            case .user: index = former
            case .unclear: return false
            }
        }
        if entry.sites.isEmpty { entry.sites = ["https://" + names[index]] }
        if entry.user.isEmpty, index == names.count - 2 { entry.user = names[index + 1] }
        return true
    }

    /// What the last name of a path is, with the form of a domain, after another domain: a site in the folder of its owner's, or a user
    /// name with a dot. As a site it gets the password, and anybody could register it.
    private enum Reading {
        case site, user, unclear

        private static let endings: Set = ["com", "net", "org", "edu", "gov"]
        private static let surnames: Set = ["info", "biz", "app", "dev"]

        /// - Parameters:
        ///   - isNext: whether the other domain is the name before it.
        ///   - user: the user that the file names, or "".
        init(_ name: String, isNext: Bool, user: String) {
            let (name, user) = (name.lowercased(), user.lowercased())
            let ending = name.split(separator: ".").last.map(String.init) ?? ""
            self =
                if user == name {
                    .user
                } else if Self.endings.contains(ending) {
                    // An address may have the name of each site where it is used.
                    user.hasPrefix(name + "@") ? .unclear : .site
                } else if user.hasPrefix(name + "@") {
                    .user
                } else if ending.utf8.count == 2 || Self.surnames.contains(ending) || !user.isEmpty {
                    .unclear
                } else {
                    isNext ? .user : .unclear
                }
        }
    }

    /// Whether a name is a domain, or under it.
    private static func isWithin(_ name: String, _ domain: String) -> Bool {
        let (name, domain) = (name.lowercased(), domain.lowercased())
        return name == domain || name.hasSuffix("." + domain)
    }

    private static func isDomain(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.utf8.allSatisfy { byte in
                        byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                            || byte >= 0x80
                    }
            } && !(labels.last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? true)
    }

    /// `name: value`; nil for any other line.
    private static func pair(
        _ line: Slice<UnsafeRawBufferPointer>
    ) -> (name: String, value: Slice<UnsafeRawBufferPointer>)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line.startIndex < colon,
            colon - line.startIndex <= ConversionLimits.fieldNameBytes
        else { return nil }
        let value = line[(colon + 1)...]
        guard value.first == 0x20, line.first != 0x20 else { return nil }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        return (name, value.drop { $0 == 0x20 })
    }

    private static func withoutReturn(_ line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        line.last == 0x0D ? line.dropLast() : line
    }

    private static func secret(_ bytes: Slice<UnsafeRawBufferPointer>) -> SecretBytes {
        SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes))
    }

    /// The lines, without empty ones at either end.
    private static func joined(_ lines: [Slice<UnsafeRawBufferPointer>]) -> SecretBytes? {
        var lines = lines[...].drop(while: \.isEmpty)
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { return nil }
        var buffer = SecretBuffer(capacity: 1024)
        for (index, line) in lines.enumerated() {
            if index > 0 { buffer.append("\n") }
            buffer.append(UnsafeRawBufferPointer(rebasing: line))
        }
        return buffer.secret
    }
}
