// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A field of a record that only a later version supports: kept byte for byte, and written after the others.
package struct UnknownField: Sendable {
    package let tag: UInt8
    package let content: SecretBytes

    package init(tag: UInt8, content: SecretBytes) {
        self.tag = tag
        self.content = content
    }
}

extension UnknownField: Hashable {
    package static func == (left: UnknownField, right: UnknownField) -> Bool {
        left.tag == right.tag && left.content.equals(right.content)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(tag)
        hasher.combine(content.count)
    }
}
