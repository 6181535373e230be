// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge
internal import VaultFormat

extension PublicKeys {
    func write(to writer: inout BinaryWriter) {
        writer.put(whole: signing)
        writer.put(whole: sealing)
    }

    init(from reader: inout BinaryReader) {
        let signing = reader.bytes(32)
        self.init(signing: signing, sealing: reader.bytes(32))
    }
}

extension StatementContent {
    func write(to writer: inout BinaryWriter) {
        switch self {
        case .founding(let keys, let recovery, let random):
            keys.write(to: &writer)
            recovery.write(to: &writer)
            writer.put(random)
        case .admission(let keys): keys.write(to: &writer)
        case .removal(let device, let last):
            writer.put(device.rawValue)
            writer.put(last)
        case .epoch(let grant): grant.write(to: &writer)
        case .unknown(_, let bytes): writer.put(whole: bytes)
        }
    }

    /// All that is left is the content; nil where it does not fit its kind.
    init?(number: UInt8, from reader: inout BinaryReader) {
        switch number {
        case 1:
            let keys = PublicKeys(from: &reader), recovery = PublicKeys(from: &reader)
            self = .founding(keys, recovery: recovery, random: reader.long())
        case 2: self = .admission(PublicKeys(from: &reader))
        case 3:
            let device = DeviceID(rawValue: reader.long())
            let last: UInt64 = reader.integer()
            guard last <= SyncFileLimits.sequences.upperBound else { return nil }
            self = .removal(of: device, last: last)
        case 4:
            guard let grant = EpochGrant(from: &reader) else { return nil }
            self = .epoch(grant)
        case 0: return nil
        default: self = .unknown(number, reader.bytes(reader.remaining))
        }
        guard reader.isIntact, reader.remaining == 0 else { return nil }
    }
}
