// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Writes the XML of a KDBX 4 file, in one pass: the protected values move the stream on in its order.
final class KeePassXML {
    private let stream: KeePassStream
    private let entropy: SystemEntropy
    private let compressor: Compressor
    private var buffer = SecretBuffer(capacity: 2 * KeePassXML.block)
    private static let block = 64 * 1024

    init(stream: KeePassStream, entropy: SystemEntropy, to compressor: Compressor) {
        self.stream = stream
        self.entropy = entropy
        self.compressor = compressor
    }

    func document(_ root: KeePassGroup) throws(ConversionError) {
        buffer.append(#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n<KeePassFile><Meta>")
        buffer.append("<Generator>autofilld</Generator><RecycleBinEnabled>False</RecycleBinEnabled>")
        buffer.append("<MemoryProtection><ProtectTitle>False</ProtectTitle><ProtectUserName>False</ProtectUserName>")
        buffer.append("<ProtectPassword>True</ProtectPassword><ProtectURL>False</ProtectURL>")
        buffer.append("<ProtectNotes>False</ProtectNotes></MemoryProtection></Meta><Root>")
        try group(root)
        buffer.append("</Root></KeePassFile>")
        try passOn(from: 1)
    }

    private func passOn(from limit: Int) throws(ConversionError) {
        guard buffer.count >= limit else { return }
        try buffer.withUnsafeBytes { bytes throws(ConversionError) in try compressor.append(bytes) }
        buffer.removeFirst(buffer.count)
    }

    private func group(_ group: KeePassGroup) throws(ConversionError) {
        buffer.append("<Group><UUID>\(newID)</UUID><Name>")
        append(escaped: SecretBytes(utf8: Self.plain(group.name)))
        buffer.append("</Name>")
        for record in group.records {
            try entry(try RecordReader.entry(of: record))
            try passOn(from: Self.block)
        }
        for group in group.groups { try self.group(group) }
        buffer.append("</Group>")
    }

    private func entry(_ entry: ForeignEntry) throws(ConversionError) {
        let id = newID
        try open(id, entry, changed: entry.changed, password: entry.password)
        if !entry.history.isEmpty {
            buffer.append("<History>")
            for former in entry.history.reversed() {
                try open(id, entry, changed: former.replaced, password: former.password)
                buffer.append("</Entry>")
            }
            buffer.append("</History>")
        }
        buffer.append("</Entry>")
    }

    private func open(
        _ id: String, _ entry: ForeignEntry, changed: Int64?, password: SecretBytes?
    ) throws(ConversionError) {
        buffer.append("<Entry><UUID>\(id)</UUID><IconID>0</IconID><Tags>")
        let tags = entry.tags + (entry.isFavourite ? [KeePassWriter.favourite] : [])
        append(escaped: SecretBytes(utf8: Self.plain(tags.joined(separator: ";"))))
        buffer.append("</Tags><Times>")
        if let changed { buffer.append("<LastModificationTime>\(KeePassTime.text(changed))</LastModificationTime>") }
        if let created = entry.created { buffer.append("<CreationTime>\(KeePassTime.text(created))</CreationTime>") }
        if let used = entry.used { buffer.append("<LastAccessTime>\(KeePassTime.text(used))</LastAccessTime>") }
        buffer.append("<Expires>False</Expires><UsageCount>0</UsageCount></Times>")
        try string("Title", SecretBytes(utf8: entry.title))
        try string("UserName", SecretBytes(utf8: entry.user))
        try string("Password", password, isProtected: true)
        try string("URL", SecretBytes(utf8: entry.sites.first ?? ""))
        try string("Notes", entry.notes)
        for (index, site) in entry.sites.dropFirst().enumerated() {
            try string(index == 0 ? "KP2A_URL" : "KP2A_URL_\(index)", SecretBytes(utf8: site))
        }
        if let code = entry.code { try string("otp", code, isProtected: true) }
        if let passkey = entry.passkeys.first {
            try string("KPEX_PASSKEY_CREDENTIAL_ID", SecretBytes(utf8: passkey.credentialID), isProtected: true)
            try string("KPEX_PASSKEY_PRIVATE_KEY_PEM", PEMText.pem(passkey.key), isProtected: true)
            try string("KPEX_PASSKEY_RELYING_PARTY", SecretBytes(utf8: passkey.relyingParty))
            try string("KPEX_PASSKEY_USERNAME", SecretBytes(utf8: passkey.user))
            try string("KPEX_PASSKEY_USER_HANDLE", SecretBytes(utf8: passkey.userHandle), isProtected: true)
        }
        var taken: Set<String> = []
        for field in entry.fields {
            try string(Self.name(of: field, &taken), field.value, isProtected: field.isSecret)
        }
    }

    /// An entry of KeePass has each name once, and some of its own: a field of such a name gets a number.
    private static func name(of field: ForeignEntry.Field, _ taken: inout Set<String>) -> String {
        let plain = Self.plain(field.name)
        // Every name that begins with this is one of KeePass's own, with a number too.
        let base = plain.hasPrefix(KeePassDraft.furtherSitePrefix) ? "field " + plain : plain
        var (name, number) = (base, 1)
        while KeePassDraft.isOwn(name) || !taken.insert(name).inserted {
            number += 1
            name = "\(base) (\(number))"
        }
        return name
    }

    /// A name, without the characters that XML 1.0 cannot have.
    private static func plain(_ name: String) -> String {
        var scalars = name.unicodeScalars
        scalars.removeAll { scalar in
            let isControl = scalar.value < 0x20 && scalar.value != 0x09 && scalar.value != 0x0A
            return isControl || scalar.value == 0xFFFE || scalar.value == 0xFFFF
        }
        return String(scalars)
    }

    /// Whether XML 1.0 can have a value, and keeps it as it is.
    private static func isPlain(_ value: SecretBytes) -> Bool {
        value.withUnsafeBytes { bytes in
            bytes.indices.allSatisfy { index in
                switch bytes[index] {
                case 0x09, 0x0A: return true
                case 0x00..<0x20: return false
                // U+FFFE and U+FFFF.
                case 0xEF: return index + 2 >= bytes.count || bytes[index + 1] != 0xBF || bytes[index + 2] < 0xBE
                default: return true
                }
            }
        }
    }

    private func string(_ name: String, _ value: SecretBytes?, isProtected: Bool = false) throws(ConversionError) {
        buffer.append("<String><Key>")
        append(escaped: SecretBytes(utf8: name))
        buffer.append("</Key><Value")
        // What XML cannot have is in base64.
        if let value, isProtected || !Self.isPlain(value) {
            buffer.append(" Protected=\"True\">")
            let encrypted = try stream.apply(value)
            encrypted.withUnsafeBytes { bytes in
                _ = buffer.append(upTo: Base64.encodedCount(bytes.count)) { space in
                    Base64.encode(bytes, to: space)
                    return space.count
                }
            }
        } else {
            buffer.append(">")
            if let value { append(escaped: value) }
        }
        buffer.append("</Value></String>")
    }

    private func append(escaped value: SecretBytes) {
        value.withUnsafeBytes { bytes in
            var start = 0
            for (index, byte) in bytes.enumerated() {
                let escape: String
                switch byte {
                case UInt8(ascii: "<"): escape = "&lt;"
                case UInt8(ascii: ">"): escape = "&gt;"
                case UInt8(ascii: "&"): escape = "&amp;"
                default: continue
                }
                buffer.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
                buffer.append(escape)
                start = index + 1
            }
            buffer.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }

    private var newID: String {
        var entropy = entropy
        return BinaryText.base64((0..<16).map { _ in UInt8.random(in: 0...255, using: &entropy) })
    }
}
