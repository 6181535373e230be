// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What a file contains: the state of a group is a set of these less what they cancel, and the merge is the union.
///
/// Cuts are not among them: they follow from the members' statements (`MemberList`), so that no file of a junior removes a senior.
package enum SyncOperation: Sendable, Equatable {
    /// A value was written to the record.
    case add(ObjectID, Element)
    /// A deletion had seen the element with this mark.
    case dead(ObjectID, Mark, by: FileOrigin)
    /// A replacement, an eviction from the history or a purge had seen the element with this mark: it is dropped for good.
    case gone(ObjectID, Mark, by: FileOrigin)
    /// The counter of a one-time code; the greatest counts.
    case counter(OneTimeCode.Nonce, UInt64, by: FileOrigin)

    /// The file that published it first.
    package var origin: FileOrigin {
        switch self {
        case .add(_, let element): element.stamp.origin
        case .dead(_, _, let origin), .gone(_, _, let origin), .counter(_, _, let origin): origin
        }
    }
}
