// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge
internal import VaultFormat

/// The devices that a file names: what follows refers to them by their position.
struct DeviceTable {
    /// Ascending.
    private(set) var devices: [DeviceID] = []

    init(_ devices: some Sequence<DeviceID>) {
        for device in devices { insert(device) }
    }

    /// The devices that these entries name, and some more.
    init(of entries: [FileEntry], and more: some Sequence<DeviceID> = EmptyCollection()) {
        self.init(more)
        for entry in entries { entry.forEachDevice { insert($0) } }
    }

    private mutating func insert(_ device: DeviceID) {
        let position = position(of: device)
        guard position == devices.count || devices[position] != device else { return }
        devices.insert(device, at: position)
    }

    /// Where a device is, or would be. There are few of them.
    private func position(of device: DeviceID) -> Int {
        var (low, high) = (0, devices.count)
        while low < high {
            let middle = (low + high) / 2
            if devices[middle] < device { low = middle + 1 } else { high = middle }
        }
        return low
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

    func put(_ device: DeviceID, to writer: inout BinaryWriter) {
        let position = position(of: device)
        let isThere = position < devices.count && devices[position] == device
        writer.put(compact: isThere ? UInt64(position) : .max)
    }

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
