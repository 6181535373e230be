// SPDX-License-Identifier: Apache-2.0

/// A refusal that states its reason and its fix, in whole sentences for users. External text in it is always `quoted`.
package protocol Explained: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    var reason: String { get }
    /// What to do about it.
    var fix: String { get }
}

extension Explained {
    package var description: String { "\(reason) \(fix)" }
}
