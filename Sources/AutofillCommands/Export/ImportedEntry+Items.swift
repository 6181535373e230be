// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

extension ImportedEntry {
    /// An item of a Secret Service.
    struct Item {
        let label: String
        let attributes: [String: String]
        let secret: SecretBytes
    }

    /// The items that a Secret Service stores for it, for each site: the password, with the attributes that other
    /// programs search for (libsecret, SECRET_SCHEMA_COMPAT_NETWORK), and one-time code and notes with others, so that
    /// no such search finds them.
    var items: [Item] {
        let targets = sites.isEmpty ? [["title": title]] : sites.map(Self.target)
        return targets.flatMap { target in
            let label = title.isEmpty ? target["server"] ?? user : title
            let further = ["site": target["server"] ?? title, "account": user]
            return [
                password.map {
                    Item(
                        label: label,
                        attributes: target.merging(["user": user]) { $1 }.of(
                            schema: "org.gnome.keyring.NetworkPassword"),
                        secret: $0)
                },
                code.map {
                    Item(
                        label: "\(label) (one-time code)",
                        attributes: further.merging(["kind": "otpauth"]) { $1 }.of(
                            schema: "org.freedesktop.Secret.Generic"), secret: $0)
                },
                notes.map {
                    Item(
                        label: "\(label) (notes)",
                        attributes: further.merging(["kind": "notes"]) { $1 }.of(schema: "org.gnome.keyring.Note"),
                        secret: $0)
                },
            ].compactMap(\.self)
        }
    }

    /// The components that have no place there.
    var unplaced: [NotImported] {
        let components: [(String, Bool)] = [
            ("fields", !fields.isEmpty), ("history", !history.isEmpty), ("passkeys", !passkeys.isEmpty),
            ("tags", !tags.isEmpty), ("folder", !folder.isEmpty),
        ]
        return components.filter(\.1).map {
            NotImported(line: nil, title: title, what: $0.0, reason: "not-in-format")
        }
    }

    /// Protocol, server and port of an address.
    private static func target(of site: String) -> [String: String] {
        let address =
            site.firstRange(of: "://").map { (site[..<$0.lowerBound], site[$0.upperBound...]) } ?? ("https", site[...])
        let authority = address.1.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var target = ["protocol": String(address.0), "server": String(authority)]
        if let colon = authority.lastIndex(of: ":"), Int(authority[authority.index(after: colon)...]) != nil {
            target["server"] = String(authority[..<colon])
            target["port"] = String(authority[authority.index(after: colon)...])
        }
        return target
    }
}

extension [String: String] {
    /// With the name of a schema, and without empty values.
    fileprivate func of(schema: String) -> Self {
        filter { !$0.value.isEmpty }.merging([SecretServiceNames.schema: schema]) { $1 }
    }
}
