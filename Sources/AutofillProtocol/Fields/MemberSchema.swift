// SPDX-License-Identifier: Apache-2.0

/// A member of an object: its name, its type, when it is there, and a sentence for people.
package struct MemberSchema: Sendable {
    package enum Presence: Sendable {
        case needed
        /// Left out, or `null`, where there is nothing.
        case optional
        /// Always there, and `null` where there is nothing.
        case nullable
    }

    package let name: String
    package let type: ValueSchema
    package let presence: Presence
    package let sentence: String

    package init(_ name: StaticString, _ type: ValueSchema, _ presence: Presence, _ sentence: StaticString) {
        self.name = "\(name)"
        self.type = type
        self.presence = presence
        self.sentence = "\(sentence)"
    }

    /// Whether a reader refuses its absence.
    package var isRequired: Bool { presence == .needed }
}
