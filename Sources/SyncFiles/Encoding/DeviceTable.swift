// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge
internal import VaultFormat

/// The devices that a file names: what follows refers to them by their position.
struct DeviceTable {
    let devices: [DeviceID]
    private let positions: [DeviceID: UInt64]

    init(_ devices: some Sequence<DeviceID>) {
        self.devices = Set(devices).sorted()
        positions = Dictionary(uniqueKeysWithValues: zip(self.devices, UInt64(0)...))
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(compact: UInt64(devices.count))
        for device in devices { writer.put(whole: device.rawValue.bytes) }
    }

    /// Ascending, each once.
    init(from reader: inout BinaryReader) {
        var read: [DeviceID] = []
        for _ in 0..<reader.count(ofAtLeast: 16) where reader.isIntact {
            let device = DeviceID(rawValue: reader.long())
            if let last = read.last, device <= last { reader.fail(()) }
            read.append(device)
        }
        self.init(read)
        if devices.count > SyncFileLimits.devices { reader.fail(()) }
    }

    func put(_ origin: FileOrigin, to writer: inout BinaryWriter) {
        put(origin.device, to: &writer)
        writer.put(compact: origin.sequence)
    }

    func put(_ device: DeviceID, to writer: inout BinaryWriter) { writer.put(compact: positions[device] ?? .max) }

    func device(from reader: inout BinaryReader) -> DeviceID {
        let position = reader.compact()
        return position < UInt64(devices.count) ? devices[Int(position)] : reader.fail(.beforeSync)
    }

    /// Sequence 0 is that of what was in a vault before sync, and of nothing else.
    func origin(from reader: inout BinaryReader) -> FileOrigin {
        let device = device(from: &reader), sequence = reader.compact()
        let fits = device == .beforeSync ? sequence == 0 : SyncFileLimits.sequences.contains(sequence)
        return fits ? FileOrigin(device: device, sequence: sequence) : reader.fail(.beforeSync)
    }
}
