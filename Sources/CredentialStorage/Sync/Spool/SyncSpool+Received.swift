// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// What the carrier has brought. A file that is not needed any more is *settled*: replaced by an empty one, so that the carrier does not
/// bring it again. One of this machine's own that is settled is removed from the folder by the carrier.
extension SyncSpool {
    private var arrivals: String { path + "/in" }

    private func folder(of device: DeviceID, in group: GroupID) -> String {
        "\(arrivals)/\(group.hexadecimal)/\(device.hexadecimal)"
    }

    /// The files of a machine that are not settled, by their last sequence, and of one sequence the snapshot first.
    package func received(of device: DeviceID, in group: GroupID) -> [SyncFileName] {
        let folder = folder(of: device, in: group)
        return SpoolFile.names(in: folder).filter { SpoolFile("\(folder)/\($0)").hasContent }.sorted {
            ($0.sequence, $0.isSnapshot ? 0 : 1, $0.hash) < ($1.sequence, $1.isSnapshot ? 0 : 1, $1.hash)
        }
    }

    /// All files of a machine that were brought and are at the location, settled ones too.
    func brought(of device: DeviceID, in group: GroupID) -> [SyncFileName] {
        SpoolFile.names(in: folder(of: device, in: group))
    }

    /// The bytes of a received file; nil where it is no plain file, too large, or unreadable.
    ///
    /// - Parameter most: read no more than the first bytes.
    package func readReceived(
        _ name: SyncFileName, of device: DeviceID, in group: GroupID, most: Int = .max
    ) -> [UInt8]? {
        SpoolFile("\(folder(of: device, in: group))/\(name)").read(upTo: SyncFileLimits.fileBytes, most: most)
    }

    /// Settles a received file. Returns whether that was possible: if not, it is met again.
    ///
    /// - Parameter isRejected: whether it is not merged, and counted by `rejected(in:)` while it is at the location.
    @discardableResult
    package func settle(
        _ name: SyncFileName, of device: DeviceID, in group: GroupID, isRejected: Bool = false
    ) -> Bool {
        SpoolFile("\(folder(of: device, in: group))/\(name)").settle(isRejected: isRejected)
    }

    /// How many received files were rejected, of each machine that has any.
    func rejected(in group: GroupID) -> [DeviceID: Int] {
        var counts: [DeviceID: Int] = [:]
        for device in devices(in: group) {
            let folder = folder(of: device, in: group)
            let count = SpoolFile.names(in: folder).count { SpoolFile("\(folder)/\($0)").isRejected }
            if count > 0 { counts[device] = count }
        }
        return counts
    }

    /// Removes a received file: the carrier brings it again.
    package func bringAgain(_ name: SyncFileName, of device: DeviceID, in group: GroupID) {
        unlink("\(folder(of: device, in: group))/\(name)")
    }

    /// The machines of which the carrier has brought something.
    package func devices(in group: GroupID) -> [DeviceID] {
        VaultDirectory.names(in: "\(arrivals)/\(group.hexadecimal)").compactMap { UInt128(hexadecimal: $0) }
            .map { DeviceID(rawValue: $0) }.sorted()
    }

    /// The groups of which the carrier has brought something.
    package var groups: [GroupID] {
        VaultDirectory.names(in: arrivals).compactMap { UInt128(hexadecimal: $0) }.sorted().map {
            GroupID(rawValue: $0)
        }
    }

    /// All invitations of all groups.
    package func invitations() -> [(group: GroupID, bytes: [UInt8])] {
        groups.flatMap { group in small(".invitation", in: group).map { (group, $0) } }
    }

    /// All answers to invitations of a group.
    package func answers(in group: GroupID) -> [[UInt8]] { small(".answer", in: group) }

    /// Removes all received files: the carrier brings everything again.
    package func clearReceived() {
        for group in groups { SpoolFile("\(arrivals)/\(group.hexadecimal)").removeTree() }
    }

    private func small(_ suffix: String, in group: GroupID) -> [[UInt8]] {
        devices(in: group).flatMap { device in
            let folder = folder(of: device, in: group)
            return VaultDirectory.names(in: folder).sorted().compactMap { name -> [UInt8]? in
                guard name.hasSuffix(suffix), UInt128(hexadecimal: String(name.dropLast(suffix.count))) != nil else {
                    return nil
                }
                let bytes = SpoolFile("\(folder)/\(name)").read(upTo: SyncFileLimits.invitationBytes)
                return bytes.flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }
}
