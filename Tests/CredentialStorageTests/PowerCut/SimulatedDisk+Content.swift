// SPDX-License-Identifier: Apache-2.0

extension SimulatedDisk.File {
    /// - Parameters:
    ///   - keeping: how many of the unsynced changes each sector has, by its number.
    ///   - length: how many of the changes of the length the file has.
    func content(keeping: (Int) -> Int, upTo length: Int) -> [UInt8] {
        guard !unsynced.isEmpty else { return content }
        var content = content
        // After a file was cut that has its former length, its former sectors are all there is.
        var (size, kept) = (content.count, unsynced.count)
        for (index, entry) in unsynced.enumerated() {
            switch entry.change {
            case .write(let position, let bytes): if index < length { size = max(size, position + bytes.count) }
            case .allocate(let end): if index < length { size = max(size, end) }
            case .resize(let end):
                if index < length { size = end } else if end < size { kept = min(kept, index) }
            }
        }
        for (index, entry) in unsynced.prefix(kept).enumerated() {
            switch entry.change {
            case .write(let position, let bytes):
                let end = min(position + bytes.count, size)
                guard position < end else { continue }
                if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
                var start = position
                while start < end {
                    let sector = start / SimulatedDisk.sector
                    let next = min(end, (sector + 1) * SimulatedDisk.sector)
                    if index < keeping(sector) {
                        content.withUnsafeMutableBytes { target in
                            bytes.withUnsafeBytes { source in
                                let slice = source[start - position..<next - position]
                                UnsafeMutableRawBufferPointer(rebasing: target[start..<next])
                                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: slice))
                            }
                        }
                    }
                    start = next
                }
            case .resize(let end): if index < length, end < content.count { content.removeSubrange(end...) }
            case .allocate: continue
            }
        }
        if content.count > size { content.removeSubrange(size...) }
        if content.count < size { content += [UInt8](repeating: 0, count: size - content.count) }
        return content
    }
}
