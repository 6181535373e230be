// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import PeerIdentity

/// What a request waits for that only the outside can bring. Requests that wait for an equal one share it.
package enum Errand: Hashable, Sendable {
    /// The vault to be opened, by whoever opens it.
    case unlock
    /// A site to be asked what apps it lists.
    case association(AssociationQuery)
    /// The person's word about an app and a service.
    case consent(ConsentQuestion)
    /// The person's word that a request may administer.
    case approval(Approval)
    /// The content of a file that a registration names to be read.
    case contentHash(path: String, ContentVersion)
    /// The long work on the whole vault to be done; the broker sees to it itself.
    case vaultWork
}

/// What the outside is to do about an errand. It tells the broker's thread what came of it, and the broker then calls
/// `end`.
package enum ErrandOrder: Hashable, Sendable {
    case start(Errand)
    /// Nobody waits for it any more.
    case drop(Errand)
}
