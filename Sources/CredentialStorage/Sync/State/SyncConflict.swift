// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncMerge

/// Two machines changed the password of a credential, and neither knew of the other's change.
package struct SyncConflict: Sendable, Equatable {
    package let credential: ObjectID
    /// Whose password is in use.
    package let inUse: Change
    /// Whose password is in the history, or who deleted the credential.
    package let other: Change
    /// Whether `other` is a deletion, which the password in use has reverted.
    package let isDeletion: Bool

    /// What one machine did.
    package struct Change: Sendable, Equatable {
        package let device: DeviceID
        /// The user's name for it, where it is known.
        package let deviceName: String?
        package let time: Timestamp
    }
}
