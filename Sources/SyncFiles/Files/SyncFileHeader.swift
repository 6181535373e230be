// SPDX-License-Identifier: Apache-2.0
package import SyncMerge
internal import VaultFormat

/// What a file states in clear; it is authenticated with the rest.
package struct SyncFileHeader: Hashable, Sendable {
    package let group: GroupID
    package let device: DeviceID
    package let isSnapshot: Bool
    /// Which sequences of the writer it covers; a snapshot covers all up to its own.
    package let range: ClosedRange<UInt64>
    package let epoch: EpochID

    package init(
        group: GroupID, device: DeviceID, isSnapshot: Bool, range: ClosedRange<UInt64>, epoch: EpochID
    ) {
        self.group = group
        self.device = device
        self.isSnapshot = isSnapshot
        self.range = isSnapshot ? 1...range.upperBound : range
        self.epoch = epoch
    }

    static let magic: [UInt8] = Array("AFsy".utf8)
    static let format: UInt8 = 1
    /// With the counts of what follows.
    static let byteCount = 82

    /// How many bytes state the format.
    package static let formatByteCount = magic.count + 1

    /// Whether a file that begins so is of a format that this version does not know.
    package static func isNewerFormat(_ start: [UInt8]) -> Bool {
        start.starts(with: magic) && start.count >= formatByteCount && start[magic.count] > format
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(whole: Self.magic)
        writer.put(Self.format)
        writer.put(isSnapshot ? 1 : 2 as UInt8)
        writer.put(group.rawValue)
        writer.put(device.rawValue)
        writer.put(range.lowerBound)
        writer.put(range.upperBound)
        writer.put(epoch.rawValue)
    }

    init(from reader: inout BinaryReader) throws(SyncFileError) {
        guard reader.remaining >= Self.byteCount else { throw .truncated }
        guard reader.bytes(Self.magic.count) == Self.magic else { throw .notASyncFile }
        let format: UInt8 = reader.integer()
        guard format <= Self.format else { throw .newerFormat(format) }
        let kind: UInt8 = reader.integer()
        let group = GroupID(rawValue: reader.long()), device = DeviceID(rawValue: reader.long())
        let first = reader.sequence(), last = reader.sequence()
        let epoch = EpochID(rawValue: reader.long())
        guard reader.isIntact, format == Self.format, kind == 1 && first == 1 || kind == 2, first <= last,
            device != .beforeSync
        else { throw .headerMalformed }
        self.init(group: group, device: device, isSnapshot: kind == 1, range: first...last, epoch: epoch)
    }
}
