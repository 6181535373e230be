// SPDX-License-Identifier: Apache-2.0

/// A value that was written to a record, with the stamp of the writing. It never changes: states, files and changes refer to one copy.
package final class Element: Comparable, Sendable {
    package let stamp: Stamp
    package let value: ElementValue
    /// By which others name this element.
    package let mark: Mark

    package init(stamp: Stamp, value: ElementValue) {
        self.stamp = stamp
        self.value = value
        mark = Mark(of: stamp)
    }

    package var kind: ElementKind { value.kind }

    package static func == (left: Element, right: Element) -> Bool {
        left === right || left.stamp == right.stamp && left.value == right.value
    }

    /// Older before newer.
    package static func < (left: Element, right: Element) -> Bool {
        left.stamp < right.stamp || left.stamp == right.stamp && left.value < right.value
    }
}
