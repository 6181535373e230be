// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// Records as JSON Lines. Records.md defines them.
package enum RecordWriter {
    package static let name = "autofill-records"
    package static let version: Int64 = 1

    package static func header(_ writer: inout JSONWriter, source: String) {
        writer.object { writer in
            writer.member("record", name)
            writer.member("version", version)
            writer.member("source", source)
        }
        writer.endLine()
    }

    package static func end(_ writer: inout JSONWriter, entries: Int, notConverted: Int) {
        writer.object { writer in
            writer.member("record", "end")
            writer.member("entries", Int64(entries))
            writer.member("notConverted", Int64(notConverted))
        }
        writer.endLine()
    }

    package static func write(_ record: ForeignRecord, to writer: inout JSONWriter) {
        switch record {
        case .entry(let entry): write(entry, to: &writer)
        case .notConverted(let record): write(record, to: &writer)
        }
        writer.endLine()
    }

    private static func write(_ record: NotConverted, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("record", "not-converted")
            if let line = record.line { writer.member("line", Int64(line)) }
            writer.member("title", record.title)
            writer.member("what", record.what.rawValue)
            writer.member("reason", record.reason.rawValue)
        }
    }

    private static func write(_ entry: ForeignEntry, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("record", entry.kind.rawValue)
            if let line = entry.line { writer.member("line", Int64(line)) }
            OptionalMembers.text("title", entry.title, to: &writer)
            OptionalMembers.text("user", entry.user, to: &writer)
            if let password = entry.password { writer.member("password", password) }
            OptionalMembers.list("sites", entry.sites, to: &writer) { $0.string($1) }
            OptionalMembers.list("exactSites", entry.exactSites, to: &writer) { $0.string($1) }
            OptionalMembers.list("urls", entry.urls, to: &writer) { $0.string($1) }
            if let code = entry.code { writer.member("code", code) }
            if let notes = entry.notes { writer.member("notes", notes) }
            OptionalMembers.text("folder", entry.folder, to: &writer)
            OptionalMembers.list("tags", entry.tags, to: &writer) { $0.string($1) }
            if entry.isFavourite { writer.member("favourite", true) }
            OptionalMembers.list("fields", entry.fields, to: &writer) { writer, field in
                writer.object { writer in
                    writer.member("name", field.name)
                    writer.member("value", field.value)
                    writer.member("secret", field.isSecret)
                }
            }
            OptionalMembers.list("history", entry.history, to: &writer) { writer, former in
                writer.object { writer in
                    writer.member("password", former.password)
                    if let replaced = former.replaced { writer.member("replaced", replaced) }
                }
            }
            OptionalMembers.list("passkeys", entry.passkeys, to: &writer) { Self.passkey($1, to: &$0) }
            if let created = entry.created { writer.member("created", created) }
            if let changed = entry.changed { writer.member("changed", changed) }
            if let used = entry.used { writer.member("used", used) }
        }
    }

    private static func passkey(_ passkey: ForeignPasskey, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("credentialID", passkey.credentialID)
            writer.member("relyingParty", passkey.relyingParty)
            writer.member("user", passkey.user)
            writer.member("displayName", passkey.displayName)
            writer.member("userHandle", passkey.userHandle)
            writer.member("key", passkey.key)
        }
    }
}
