// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Reads the XML that KDE's wallet manager exports.
final class WalletImport: XMLHandler {
    static let name = "kwallet-xml"

    var failure: ConversionError?
    private let collector: RecordCollector
    private var folder = ""
    private var entry: ForeignEntry?
    private var member = ""
    private var value = SecretBuffer(capacity: 1024)

    private init(_ collector: RecordCollector) { self.collector = collector }

    static func read(
        _ text: UnsafeRawBufferPointer, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        let collector = try begin(name)
        try XMLReader.read(text, WalletImport(collector))
        try collector.check()
    }

    func start(_ name: String, _ attributes: [String: String]) {
        value = SecretBuffer(capacity: 1024)
        switch name {
        case "folder": folder = attributes["name"] ?? ""
        case "password", "map", "stream":
            var entry = ForeignEntry()
            entry.title = attributes["name"] ?? ""
            entry.folder = folder
            if entry.title.contains("://") { entry.sites = [entry.title] }
            self.entry = entry
        case "mapentry": member = attributes["name"] ?? ""
        default: break
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
        value.append(bytes)
        if value.count > ConversionLimits.valueBytes {
            failure = ConversionError(.valueTooLong(limit: ConversionLimits.valueBytes))
        }
    }

    func end(_ name: String) {
        switch name {
        case "password":
            if value.count > 0 { entry?.password = value.secret }
            passOn()
        case "mapentry": addMember()
        case "map": passOn()
        case "stream":
            // Bytes of any kind.
            if let entry { collector.report(NotConverted(title: entry.title, reason: .notText)) }
            entry = nil
        default: break
        }
    }

    /// A wallet does not state what a member of a map is: its name does.
    private func addMember() {
        guard value.count > 0, var entry else { return }
        let name = member.lowercased()
        if entry.password == nil, name.contains("pass") {
            entry.password = value.secret
        } else if entry.user.isEmpty, ["login", "user", "username", "email", "e-mail"].contains(name) {
            entry.user = value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        } else {
            entry.keep(member, value.secret, isSecret: true)
        }
        self.entry = entry
    }

    private func passOn() {
        guard var entry else { return }
        entry.kind = entry.hasLogin ? .login : .note
        collector.add(entry)
        self.entry = nil
    }
}

/// The name of the first element of an XML file.
final class XMLRoot: XMLHandler {
    var failure: ConversionError?
    private var name = ""

    static func name(of text: UnsafeRawBufferPointer) -> String {
        let root = XMLRoot()
        try? XMLReader.read(text, root)
        return root.name
    }

    func start(_ name: String, _ attributes: [String: String]) {
        self.name = name
        failure = ConversionError(.xml)
    }

    func end(_ name: String) {}
    func text(_ bytes: UnsafeRawBufferPointer) {}
}
