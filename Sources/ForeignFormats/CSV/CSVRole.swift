// SPDX-License-Identifier: Apache-2.0

/// What a column of a CSV file has.
package enum CSVRole: String, CaseIterable, Sendable {
    case title, user, password, notes, code, folder, tags, favourite, created, changed, used
    /// One URL, or several with commas between them.
    case site
    /// More URLs: with commas between them, or a JSON array.
    case sites
    /// The user name where the file has no other; else a field.
    case email
    /// What kind of entry the line is.
    case kind
    /// Lines `name: value`; a JSON array of objects.
    case fieldLines = "field-lines", fieldObjects = "field-objects"
    /// A value without a member of its own: a field with the column's name.
    case field
    /// `true` where the entry is archived: a tag.
    case archived
    /// What belongs to a file of that program alone: identifiers, icons, settings.
    case ignored

    /// Those that a user can name for a column: `--column user=Login`.
    package static let named: [CSVRole] = [
        .title, .site, .user, .password, .notes, .code, .folder, .tags, .field, .created, .changed, .used,
    ]
}
