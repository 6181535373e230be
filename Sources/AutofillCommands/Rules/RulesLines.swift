// SPDX-License-Identifier: Apache-2.0
import Glibc
import SecretMemory

/// The lines of standard input. They may be passwords: their memory is erased.
struct RulesLines {
    /// Bytes in a line.
    static let limit = 1 << 20
    private static let chunk = 64 * 1024

    /// Calls `body` with each line without its end, and with its number from 1.
    func forEach(
        _ body: (UnsafeRawBufferPointer, Int) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer {
            SecretBytes.wipe(memory)
            memory.deallocate()
        }
        var filled = 0
        var number = 0
        while true {
            if filled == memory.count { memory = try Self.enlarged(memory) }
            let count = read(STDIN_FILENO, memory.baseAddress?.advanced(by: filled), memory.count - filled)
            if count < 0 {
                if errno == EINTR { continue }
                throw CommandFailure(.noInput, "Standard input cannot be read")
            }
            filled += count
            var start = 0
            while let end = memory[start..<filled].firstIndex(of: UInt8(ascii: "\n")) {
                number += 1
                try body(UnsafeRawBufferPointer(rebasing: memory[start..<end]), number)
                start = end + 1
            }
            if count == 0 {
                if start < filled { try body(UnsafeRawBufferPointer(rebasing: memory[start..<filled]), number + 1) }
                return
            }
            // The rest of the last line is moved to the front.
            if start > 0, start < filled, let base = memory.baseAddress {
                base.copyMemory(from: base + start, byteCount: filled - start)
            }
            filled -= start
        }
    }

    private static func enlarged(
        _ memory: UnsafeMutableRawBufferPointer
    ) throws(CommandFailure) -> UnsafeMutableRawBufferPointer {
        guard memory.count < limit else {
            throw CommandFailure(.badData, "A line of standard input has more than \(limit) bytes")
        }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(memory))
        SecretBytes.wipe(memory)
        memory.deallocate()
        return larger
    }
}
