// SPDX-License-Identifier: Apache-2.0

/// What an element is about.
///
/// Passwords, codes and sites are sets: a further one adds to those that there are. All other kinds are fields, of which the newest
/// counts. What a later version wrote is passed on unchanged, be it a field of another name or another kind.
package enum ElementKind: Hashable, Sendable {
    case password
    case code
    case site
    case user
    /// Label, notes, a tag, a custom field, rules: whatever the vault stores under this name.
    case field(String)
    /// One of a later version, by its number in files: no function of this version replaces or shows it.
    case unknown(UInt8)

    /// Whether several values are in force at once, or are kept as history.
    package var isSet: Bool { self == .site || isSecret }

    /// The kinds with a history, of which the newest value is in use.
    package var isSecret: Bool { self == .password || self == .code }
}
