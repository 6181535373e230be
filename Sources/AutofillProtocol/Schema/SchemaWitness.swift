// SPDX-License-Identifier: Apache-2.0

/// Writes down which members a message asks for while it is read, and what it expects there: the schema is what the code
/// does, and no second description of it.
package final class SchemaWitness {
    /// A member, by its path as in errors: `service.type`, `fields[0].id`.
    struct Note {
        let path: String
        /// In the words of `parameter-invalid`.
        let expected: String
        let isRequired: Bool
    }

    private(set) var notes: [Note] = []

    package init() {}

    func note(_ path: String, _ expected: String, isRequired: Bool) {
        notes.append(Note(path: path, expected: expected, isRequired: isRequired))
    }
}
