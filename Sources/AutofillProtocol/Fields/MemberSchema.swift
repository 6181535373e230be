// SPDX-License-Identifier: Apache-2.0

/// A member of an object: its name, its type, when it is present, and a sentence for people.
package struct MemberSchema: Sendable {
    package enum Presence: Sendable {
        case needed
        /// Absent if there is no value. A reader accepts `null` as well.
        case optional
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

    /// Whether a reader refuses a message without it.
    package var isRequired: Bool { presence == .needed }
}
