// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Writes members that may have no value.
enum OptionalMembers {
    /// A member of text, where there is any.
    static func text(_ name: StaticString, _ value: String, to writer: inout JSONWriter) {
        if !value.isEmpty { writer.member(name, value) }
    }

    /// A member with an array, where there are elements.
    static func list<Element>(
        _ name: StaticString, _ elements: [Element], to writer: inout JSONWriter,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        writer.key(name)
        writer.array { writer in
            for element in elements { write(&writer, element) }
        }
    }

    /// A secret or null.
    static func secret(_ name: StaticString, _ value: SecretBytes?, to writer: inout JSONWriter) {
        writer.key(name)
        if let value { writer.secret(value) } else { writer.null() }
    }
}
