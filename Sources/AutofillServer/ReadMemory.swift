// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Memory that connections read into: borrowed by one that reads, and returned when all that it read is answered, so
/// that an idle one has none.
final class ReadMemory {
    /// How many bytes are read at once.
    static let size = 16 * 1024

    private var spare: UnsafeMutableRawBufferPointer?

    deinit { spare?.deallocate() }

    func borrow() -> UnsafeMutableRawBufferPointer {
        guard let spare else { return Self.allocate(Self.size) }
        self.spare = nil
        return spare
    }

    /// - Parameter memory: erased already.
    func putBack(_ memory: UnsafeMutableRawBufferPointer) {
        if spare == nil, memory.count == Self.size { spare = memory } else { memory.deallocate() }
    }

    static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer { .allocate(byteCount: size, alignment: 16) }
}
