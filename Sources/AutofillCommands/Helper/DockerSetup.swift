// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// `credsStore` in docker's config.json. All else is unchanged, byte for byte.
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
        var changes = ["\(file): \(Self.member) is now \"\(Self.helper)\""]
        if let other = document.store, !other.isEmpty { changes[0] += "; it was \"\(other)\"" }
        if let backup { changes.append("note: the former file: \(backup)") }
        if document.hasPlainPasswords {
            changes.append(
                "note: \"auths\" contains passwords in plain text; to remove them, run docker logout, then docker login, "
                    + "and delete \(file)\(EditedFile.backupSuffix)")
        }
        return changes
    }

    func uninstall() throws(CommandFailure) -> [String] {
        let (edited, document) = try read()
        guard document.store == Self.helper else { return [] }
        let former = Self.formerStore(before: edited)
        let backup = try edited.replace(
            with: former.map { document.setting(Self.member, to: $0) } ?? document.removing(Self.member))
        let change = former.map { "is \"\($0)\" again" } ?? "was removed"
        return ["\(file): \(Self.member) \(change)"] + (backup.map { ["note: the former file: \($0)"] } ?? [])
    }

    /// The helper that `install` has replaced; nil where there was none, or the copy of the file has gone.
    private static func formerStore(before edited: EditedFile) -> String? {
        let copy = try? EditedFile(edited.path + EditedFile.backupSuffix)
        let store = copy.flatMap { DockerConfiguration($0.bytes)?.store }
        return store.flatMap { $0.isEmpty || $0 == helper || $0.contains { "\"\\".contains($0) } ? nil : $0 }
    }

    private func read() throws(CommandFailure) -> (edited: EditedFile, document: DockerConfiguration) {
        let edited = try EditedFile(file)
        guard let document = DockerConfiguration(edited.bytes) else {
            throw CommandFailure(.badData, "\(file) is not a JSON object", fix: "Repair it, or move it away")
        }
        return (edited, document)
    }
}

/// The text of a config.json: a JSON object of which one member is set or removed, without changing the rest.
struct DockerConfiguration {
    private let text: [UInt8]
    /// The members, in order: the name of each, where it begins, and where its value ends.
    private let members: [(name: String, range: Range<Int>, value: Range<Int>)]
    let store: String?
    /// Whether it contains a password in plain text (or base64).
    let hasPlainPasswords: Bool

    /// nil if it is no JSON object; no bytes are an empty object.
    init?(_ bytes: [UInt8]) {
        let isBlank = bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        let text = isBlank ? Array("{}\n".utf8) : bytes
        var found: [(String, Range<Int>, Range<Int>)] = []
        var (store, hasPlain): (String?, Bool) = (nil, false)
        let isObject = text.withUnsafeBytes { all in
            var scanner = JSONScanner(maximumDepth: 64)
            let read: Bool? = try? scanner.scan(all) { value throws(JSONError) in
                for member in try value.members() {
                    let (name, value) = (all.range(of: member.name.rawSlice), all.range(of: member.value.rawSlice))
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

    /// - Parameter value: without characters that JSON escapes.
    func setting(_ name: String, to value: String) -> [UInt8] {
        let quoted = Array("\"\(value)\"".utf8)
        if let member = members.first(where: { $0.name == name }) {
            return text[..<member.value.lowerBound] + quoted + text[member.value.upperBound...]
        }
        let member = Array("\"\(name)\": ".utf8) + quoted
        guard let first = members.first, let last = members.last else {
            return Array("{\n\t".utf8) + member + Array("\n}\n".utf8)
        }
        // As the first member is written: on a line of its own, with the same indent; else after the last.
        let before = text[..<first.range.lowerBound]
        let indent = (before.lastIndex(of: UInt8(ascii: "{")).map { before[($0 + 1)...] } ?? []).filter { $0 != 0x0D }
        return text[..<last.range.upperBound] + Array(",".utf8) + indent + member + text[last.range.upperBound...]
    }

    func removing(_ name: String) -> [UInt8] {
        guard let index = members.firstIndex(where: { $0.name == name }) else { return text }
        let range: Range<Int>
        if index > 0 {
            // With the preceding comma.
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
    /// The range of a slice.
    fileprivate func range(of slice: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = baseAddress, let first = slice.baseAddress else { return 0..<0 }
        return first - start..<first - start + slice.count
    }
}
