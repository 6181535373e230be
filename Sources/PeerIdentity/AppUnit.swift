// SPDX-License-Identifier: Apache-2.0

/// The app that a systemd unit is named after.
///
/// `app[-LAUNCHER]-ID-RANDOM.scope` and `app[-LAUNCHER]-ID[@RANDOM].service` (systemd, "Desktop Environment
/// Integration"), `snap.NAME.APP….scope` (snapd). A hyphen within a field is written `\x2d`.
package struct AppUnit: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// A desktop's unit, with the launcher's name where it gave one: `gnome`, `flatpak`, `KDE`.
        case desktop(launcher: String?)
        case snap
    }

    package let source: Source
    /// The app's ID; of a snap `NAME_APP`, the ID of its desktop file.
    package let appID: String

    package init(source: Source, appID: String) {
        self.source = source
        self.appID = appID
    }

    /// The fields of a unit's name; nil when it is not named after an app, or not unambiguously.
    package init?(unit: String) {
        guard Self.isUnitName(unit[...]) else { return nil }
        if let rest = Self.dropping(prefix: "snap.", from: unit[...]) {
            guard let snap = Self.snap(rest) else { return nil }
            self = snap
            return
        }
        guard let rest = Self.dropping(prefix: "app-", from: unit[...]) else { return nil }
        let fields: [Substring]
        if let body = Self.dropping(suffix: ".scope", from: rest) {
            let all = body.split(separator: "-", omittingEmptySubsequences: false)
            guard all.count == 2 || all.count == 3 else { return nil }
            fields = Array(all.dropLast())
        } else if let body = Self.dropping(suffix: ".service", from: rest) {
            let name = body.prefix { $0 != "@" }
            fields = name.split(separator: "-", omittingEmptySubsequences: false)
        } else {
            return nil
        }
        let names = fields.compactMap(Self.unescaped)
        guard names.count == fields.count, let appID = names.last, names.count <= 2, !names.contains(""),
            appID.utf8.allSatisfy({ Self.isNameByte($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        self.init(source: .desktop(launcher: names.count == 2 ? names[0] : nil), appID: appID)
    }

    private static func snap(_ rest: Substring) -> AppUnit? {
        guard var body = dropping(suffix: ".scope", from: rest) ?? dropping(suffix: ".service", from: rest) else {
            return nil
        }
        let name = body.prefix { $0 != "." }
        body = body.dropFirst(name.count + 1)
        let identifier = 36  // a UUID's length, after "." or "-"
        if body.utf8.count > identifier + 1, body.suffix(identifier).filter({ $0 == "-" }).count == 4 {
            body = body.dropLast(identifier + 1)
        }
        let appID = "\(name)_\(body)"
        guard !name.isEmpty, !body.isEmpty, appID.utf8.allSatisfy(isNameByte) else { return nil }
        return AppUnit(source: .snap, appID: appID)
    }

    /// systemd's `\xNN`, undone. Any other backslash, or a result that is not UTF-8, makes it nil.
    static func unescaped(_ field: Substring) -> String? {
        guard field.utf8.contains(UInt8(ascii: "\\")) else { return String(field) }
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.popFirst() == UInt8(ascii: "x"), let high = hexadecimal(rest.popFirst()),
                let low = hexadecimal(rest.popFirst())
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digit: UInt8?) -> UInt8? {
        switch digit {
        case let digit? where digit >= 0x30 && digit <= 0x39: digit - 0x30
        case let digit? where digit >= 0x61 && digit <= 0x66: digit - 0x61 + 10
        case let digit? where digit >= 0x41 && digit <= 0x46: digit - 0x41 + 10
        default: nil
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether it holds only what systemd admits in a unit's name: plain, and on one line.
    static func isUnitName(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { isNameByte($0) || ":.\\@".utf8.contains($0) }
    }

    private static func dropping(prefix: String, from text: Substring) -> Substring? {
        text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : nil
    }

    private static func dropping(suffix: String, from text: Substring) -> Substring? {
        text.hasSuffix(suffix) ? text.dropLast(suffix.count) : nil
    }
}
