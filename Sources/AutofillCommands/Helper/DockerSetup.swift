// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// `credsStore` in docker's config.json. All else stays as it is, byte for byte.
struct DockerSetup: ToolSetup {
    private static let member = "credsStore"
    private static let helper = "autofill"
    let directory: String

    var file: String { directory + "/config.json" }

    func isInstalled() throws(CommandFailure) -> Bool { try read().document.store == Self.helper }

    func install(replacing: Bool) throws(CommandFailure) -> [String] {
        let (edited, document) = try read()
        if document.store == Self.helper { return [] }
        if let other = document.store, !other.isEmpty, !replacing {
            throw CommandFailure(
                .refused, "docker has another helper: \(other)", fix: "autofillctl helper install docker --replace")
        }
        let backup = try edited.replace(with: document.setting(Self.member, to: Self.helper))
        var changes = ["\(file): \(Self.member) is \"\(Self.helper)\" now"]
        if let other = document.store, !other.isEmpty { changes[0] += ", and was \"\(other)\"" }
        if let backup { changes.append("note: the file as it was: \(backup)") }
        if document.hasPlainPasswords {
            changes.append("note: \"auths\" has passwords in clear; docker logout, then docker login, takes them out")
        }
        return changes
    }

    func uninstall() throws(CommandFailure) -> [String] {
        let (edited, document) = try read()
        guard document.store == Self.helper else { return [] }
        let backup = try edited.replace(with: document.removing(Self.member))
        return ["\(file): \(Self.member) was taken away"] + (backup.map { ["note: the file as it was: \($0)"] } ?? [])
    }

    private func read() throws(CommandFailure) -> (edited: EditedFile, document: DockerConfiguration) {
        let edited = try EditedFile(file)
        guard let document = DockerConfiguration(edited.bytes) else {
            throw CommandFailure(.badData, "\(file) is not a JSON object", fix: "Mend it, or put it aside")
        }
        return (edited, document)
    }
}

/// The text of a config.json: a JSON object of which one member is set or taken away where it stands.
struct DockerConfiguration {
    private let text: [UInt8]
    /// The members, in order: each one's name, and where it begins and where its value ends.
    private let members: [(name: String, range: Range<Int>, value: Range<Int>)]
    let store: String?
    /// Whether it has a password in clear (base64 is none).
    let hasPlainPasswords: Bool

    /// nil for what is no JSON object; nothing at all is an empty one.
    init?(_ bytes: [UInt8]) {
        let isBlank = bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        let text = isBlank ? Array("{}\n".utf8) : bytes
        var found: [(String, Range<Int>, Range<Int>)] = []
        var (store, hasPlain): (String?, Bool) = (nil, false)
        let isObject = text.withUnsafeBytes { all in
            var scanner = JSONScanner(maximumDepth: 64)
            let read: Bool? = try? scanner.scan(all) { value throws(JSONError) in
                for member in try value.members() {
                    let (name, value) = (all.place(of: member.name.rawSlice), all.place(of: member.value.rawSlice))
                    found.append((try member.name.string(), name.lowerBound..<value.upperBound, value))
                    if member.name.matches("credsStore"), member.value.kind == .string {
                        store = try member.value.string()
                    }
                    if member.name.matches("auths"), member.value.kind == .object {
                        hasPlain = try Self.hasPasswords(member.value)
                    }
                }
                return true
            }
            return read ?? false
        }
        guard isObject else { return nil }
        (self.text, members, self.store, hasPlainPasswords) = (text, found, store, hasPlain)
    }

    private static func hasPasswords(_ auths: JSONValue) throws(JSONError) -> Bool {
        for server in try auths.members() where server.value.kind == .object {
            for member in try server.value.members() {
                let isSecret = member.name.matches("auth") || member.name.matches("identitytoken")
                if isSecret, member.value.kind == .string, !member.value.matches("") { return true }
            }
        }
        return false
    }

    /// - Parameter value: without anything that JSON escapes.
    func setting(_ name: String, to value: String) -> [UInt8] {
        let quoted = Array("\"\(value)\"".utf8)
        if let member = members.first(where: { $0.name == name }) {
            return text[..<member.value.lowerBound] + quoted + text[member.value.upperBound...]
        }
        let member = Array("\"\(name)\": ".utf8) + quoted
        guard let first = members.first, let last = members.last else {
            return Array("{\n\t".utf8) + member + Array("\n}\n".utf8)
        }
        // As the first member stands: on a line of its own, as deep; else behind the last.
        let before = text[..<first.range.lowerBound]
        let indent = (before.lastIndex(of: UInt8(ascii: "{")).map { before[($0 + 1)...] } ?? []).filter { $0 != 0x0D }
        return text[..<last.range.upperBound] + Array(",".utf8) + indent + member + text[last.range.upperBound...]
    }

    func removing(_ name: String) -> [UInt8] {
        guard let index = members.firstIndex(where: { $0.name == name }) else { return text }
        let range: Range<Int>
        if index > 0 {
            // With the comma before it.
            range = members[index - 1].range.upperBound..<members[index].range.upperBound
        } else if members.count > 1 {
            range = members[0].range.lowerBound..<members[1].range.lowerBound
        } else {
            range = members[0].range
        }
        return Array(text[..<range.lowerBound] + text[range.upperBound...])
    }
}

extension UnsafeRawBufferPointer {
    /// Where a part of it lies.
    fileprivate func place(of part: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = baseAddress, let first = part.baseAddress else { return 0..<0 }
        return first - start..<first - start + part.count
    }
}
