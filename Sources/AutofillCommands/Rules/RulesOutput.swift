// SPDX-License-Identifier: Apache-2.0
import Glibc
import SecretMemory

/// Standard output for many passwords: buffered, written in large blocks, and erased.
struct RulesOutput: ~Copyable {
    private static let capacity = 64 * 1024
    private let memory: UnsafeMutableRawBufferPointer
    private var filled = 0

    init() { memory = .allocate(byteCount: RulesOutput.capacity, alignment: 16) }

    deinit {
        SecretBytes.wipe(memory)
        memory.deallocate()
    }

    /// Appends `count` bytes, no more than fit into an empty buffer.
    mutating func append(
        count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(CommandFailure) {
        if memory.count - filled < count { try flush() }
        fill(UnsafeMutableRawBufferPointer(rebasing: memory[filled..<filled + count]))
        filled += count
    }

    mutating func flush() throws(CommandFailure) {
        var rest = UnsafeRawBufferPointer(memory)[..<filled]
        while !rest.isEmpty {
            let unwritten = UnsafeRawBufferPointer(rebasing: rest)
            let count = write(STDOUT_FILENO, unwritten.baseAddress, unwritten.count)
            if count < 0, errno != EINTR { throw CommandFailure(.system, "Standard output cannot be written") }
            rest = rest.dropFirst(max(count, 0))
        }
        filled = 0
    }
}
