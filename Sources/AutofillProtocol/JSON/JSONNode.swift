// SPDX-License-Identifier: Apache-2.0

/// What a JSON value is.
package enum JSONKind: UInt8, Sendable {
    case object, array, string
    /// A number without fraction or exponent, within ±(2^53−1).
    case integer
    /// Any other number: a fraction, an exponent, or too large.
    case number
    case bool, null
}

/// One entry of the scanner's tape: the position of a value in the line. It has no content, so no copy of a secret.
///
/// Nodes are in the order of the text. An object's children are name, value, name, value, …; names are strings.
struct JSONNode {
    /// The value's first byte.
    var offset: UInt32
    /// In bytes, with quotes or brackets. While a container is open: the node of the container around it.
    var length: UInt32
    /// The node after this value and all that is in it.
    var next: UInt32
    var kind: JSONKind
    var traits: Traits

    struct Traits: OptionSet {
        let rawValue: UInt8
        /// The string has at least one escape.
        static let escaped = Traits(rawValue: 1)
        /// The string has a U+0000, which only `data` members may carry.
        static let containsNUL = Traits(rawValue: 2)
        /// The boolean is true.
        static let isTrue = Traits(rawValue: 4)
    }
}
