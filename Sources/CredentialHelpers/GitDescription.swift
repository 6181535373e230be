// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A credential as git describes it (git-credential(1), INPUT/OUTPUT FORMAT): lines of `key=value` up to an empty one.
/// Other keys are ignored, such as `wwwauth[]` and `capability[]`.
package struct GitDescription: Sendable {
    /// `https`.
    package var scheme: String?
    /// With its port, if one was given.
    package var host: String?
    package var path: String?
    package var user: String?
    package var password: SecretBytes?
    /// Seconds since 1970.
    package var expiry: Int64?
    package var refreshToken: SecretBytes?
    /// Seconds since 1970: when it is deleted, by the helper's option `--timeout`. Only in notes.
    package var end: Int64?

    package init() {}

    /// - Throws: if a name or a URL is not UTF-8, which the daemon does not store.
    package init(_ text: UnsafeRawBufferPointer) throws(HelperTrouble) {
        var rest = text[...]
        while let line = Self.line(of: &rest), !line.isEmpty {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = UnsafeRawBufferPointer(rebasing: line[(equals + 1)...])
            switch String(decoding: line[..<equals], as: UTF8.self) {
            case "protocol": scheme = try Self.text(value, "The protocol")
            case "host": host = try Self.text(value, "The host")
            case "path": path = try Self.text(value, "The path")
            case "username": user = try Self.text(value, "The user name")
            case "password": password = try Self.secret(value, "The password")
            case "oauth_refresh_token": refreshToken = try Self.secret(value, "The refresh token")
            case "password_expiry_utc": expiry = Int64(String(decoding: value, as: UTF8.self))
            case "end": end = Int64(String(decoding: value, as: UTF8.self))
            default: break
            }
        }
    }

    private static func line(of rest: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        defer { rest = rest[min(end + 1, rest.endIndex)...] }
        return rest[..<end]
    }

    private static func text(_ value: UnsafeRawBufferPointer, _ name: String) throws(HelperTrouble) -> String {
        guard let text = String(validating: value, as: UTF8.self), !value.contains(0) else {
            throw HelperTrouble("\(name) is not UTF-8")
        }
        return text
    }

    /// Checked without copying: no string is made of it.
    private static func secret(_ value: UnsafeRawBufferPointer, _ name: String) throws(HelperTrouble) -> SecretBytes {
        guard value.isUTF8, !value.contains(0) else { throw HelperTrouble("\(name) is not UTF-8") }
        return SecretBytes(copying: value)
    }

    /// The URL that it is stored for: scheme, host, port and, if sent, path. `https://host` and
    /// `https://host:8443/path` are different, `https://HOST:443` equals the first; nil if there is neither host nor
    /// path.
    package var url: String? {
        guard let scheme, !scheme.isEmpty, host != nil || path != nil else { return nil }
        let name = scheme.lowercased()
        var authority = (host ?? "").lowercased()
        if let port = Self.defaultPorts[name], authority.hasSuffix(":\(port)") {
            authority.removeLast(port.utf8.count + 1)
        }
        return "\(name)://\(authority)" + (path.map { "/\($0)" } ?? "")
    }

    private static let defaultPorts = ["https": "443", "http": "80"]

    /// The lines.
    package func write(to buffer: inout SecretBuffer) {
        for (name, value) in [("protocol", scheme), ("host", host), ("path", path), ("username", user)] {
            if let value { buffer.append("\(name)=\(value)\n") }
        }
        for (name, value) in [("password", password), ("oauth_refresh_token", refreshToken)] {
            guard let value else { continue }
            buffer.append("\(name)=")
            buffer.append(value)
            buffer.append("\n")
        }
        for (name, value) in [("password_expiry_utc", expiry), ("end", end)] {
            if let value { buffer.append("\(name)=\(value)\n") }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether it is well-formed UTF-8 (Unicode 15, table 3-7).
    var isUTF8: Bool {
        var (index, left) = (0, 0)
        var (low, high): (UInt8, UInt8) = (0x80, 0xBF)
        while index < count {
            let byte = self[index]
            index += 1
            if left > 0 {
                guard (low...high).contains(byte) else { return false }
                (left, low, high) = (left - 1, 0x80, 0xBF)
                continue
            }
            switch byte {
            case 0...0x7F: break
            case 0xC2...0xDF: left = 1
            case 0xE0: (left, low) = (2, 0xA0)
            case 0xED: (left, high) = (2, 0x9F)
            case 0xE1...0xEF: left = 2
            case 0xF0: (left, low) = (3, 0x90)
            case 0xF4: (left, high) = (3, 0x8F)
            case 0xF1...0xF3: left = 3
            default: return false
            }
        }
        return left == 0
    }
}
