// SPDX-License-Identifier: Apache-2.0

/// A refusal that says what is wrong and what mends it, in whole sentences for a person to read. Text that came from
/// outside appears in it only `quoted`.
package protocol Explained: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    var reason: String { get }
    /// What to do about it.
    var fix: String { get }
}

extension Explained {
    package var description: String { "\(reason) \(fix)" }
}
