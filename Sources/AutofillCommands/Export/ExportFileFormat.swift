// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The formats of an export, by the names that users know.
enum ExportFileFormat: String, CaseIterable, ExpressibleByArgument {
    case chrome, apple, bitwarden
    case bitwardenProtected = "bitwarden-protected"
    case kdbx, cxf

    /// The usual format of a file's name.
    init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        switch name.lastIndex(of: ".").map({ name[name.index(after: $0)...].lowercased() }) {
        case "csv": self = .chrome
        case "json": self = .bitwarden
        case "kdbx": self = .kdbx
        case "cxf": self = .cxf
        default: return nil
        }
    }

    /// Its name for autofill-convert.
    var converted: String {
        switch self {
        case .chrome: "chrome-csv"
        case .apple: "apple-csv"
        case .bitwarden: "bitwarden-json"
        case .bitwardenProtected: "bitwarden-json-protected"
        case .kdbx: "kdbx"
        case .cxf: "cxf"
        }
    }

    /// Whether the file is encrypted with a password of its own.
    var isProtected: Bool { self == .bitwardenProtected || self == .kdbx }
}
