// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SyncFiles
package import SyncMerge

/// A machine of the group, as its users see it.
package struct SyncedDevice: Sendable, Equatable {
    package let id: DeviceID
    /// The user's name for it, of a former id of this machine too; nil where nothing of it was merged yet.
    package let name: String?
    package let isThisDevice: Bool
    /// False for one that was removed, and for a former id of a machine that left.
    package let isMember: Bool
    /// An id that this machine had before. A copy of this machine may still have it. It has let the present id in, so only machines of
    /// before and the recovery key can remove it.
    package let isFormer: Bool
    /// When this machine merged a file of it last.
    package let lastMerged: Timestamp?
    /// Up to which sequence all of its files are merged here; of this machine, what it has sealed.
    package let merged: UInt64
    /// How many of its later sequences others' files name that are not merged here.
    package let missing: UInt64
}

extension VaultSync {
    /// All that were ever admitted: the members by rank, this machine among them, then the others by id.
    var devices: [SyncedDevice] {
        let others = Set(members.admitted).subtracting(members.list.members).sorted()
        let (cuts, former) = (members.cuts, formerKeys.map(\.publicKeys.device))
        return (members.list.members + others).map { device in
            let (isOwn, met) = (device == self.device, progress.met[device])
            let name = isOwn || met == nil && former.contains(device) ? deviceName : met?.name
            return SyncedDevice(
                id: device, name: name, isThisDevice: isOwn, isMember: members.list.contains(device),
                isFormer: former.contains(device), lastMerged: met?.merged,
                merged: isOwn ? progress.covered : progress.merged.vector[device],
                missing: isOwn ? 0 : progress.missing(of: device, upTo: cuts[device]))
        }
    }
}
