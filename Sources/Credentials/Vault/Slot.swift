// SPDX-License-Identifier: Apache-2.0

/// One way to open the vault, without its secret.
package struct Slot: Hashable, Sendable {
    /// Increases; never used twice in one vault.
    package typealias ID = Int64

    package enum Kind: UInt8, CaseIterable, Sendable {
        case passphrase = 1
        case key = 2
        case recovery = 3
    }

    package let id: ID
    package let kind: Kind
    /// Of a passphrase; nil for the others, which need no stretching.
    package let cost: PassphraseCost?
    /// The name that the user gave it. Sealed: nil while the vault is locked.
    package let label: String?
    /// Sealed: nil while the vault is locked.
    package let created: Timestamp?
    /// The row's check sum is right.
    package let isIntact: Bool

    package init(id: ID, kind: Kind, cost: PassphraseCost?, label: String?, created: Timestamp?, isIntact: Bool) {
        self.id = id
        self.kind = kind
        self.cost = cost
        self.label = label
        self.created = created
        self.isIntact = isIntact
    }
}
