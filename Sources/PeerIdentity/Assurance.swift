// SPDX-License-Identifier: Apache-2.0

/// How far a peer's identity can be trusted, weakest first. The raw value is the value on the wire and in grants.
package enum Assurance: String, Comparable, CaseIterable, Sendable {
    /// The peer's own claim, which nothing contradicts.
    case claimed
    /// Its systemd unit (or snap) is named after the app. Any program of the user can make such a unit.
    case attributed
    /// A root-owned executable, whole path, that a root-owned registration names. Never an interpreter.
    case installed
    /// A Flatpak, which cannot claim to be another app from inside. It does not prove that no program outside built
    /// the sandbox.
    case sandboxed

    package static func < (left: Assurance, right: Assurance) -> Bool { left.strength < right.strength }

    private var strength: Int {
        switch self {
        case .claimed: 0
        case .attributed: 1
        case .installed: 2
        case .sandboxed: 3
        }
    }
}
