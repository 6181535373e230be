// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// The kernel's cryptographic random numbers (getrandom, by way of getentropy), fetched a block at a time.
///
/// The block is in locked memory; a number is erased there when it is returned, so numbers drawn from it cannot
/// be read again. One instance serves one task: it is not `Sendable`. It must not be used after a fork: a child has
/// no copy of its memory.
package final class SystemEntropy: RandomNumberGenerator {
    /// The most that getentropy returns in one call, without interruption.
    private static let blockSize = 256
    private let block: UnsafeMutableRawPointer = af_secret_alloc(SystemEntropy.blockSize)
    private var position = SystemEntropy.blockSize

    package init() {}

    deinit { af_secret_free(block, SystemEntropy.blockSize) }

    package func next() -> UInt64 {
        if position == SystemEntropy.blockSize { refill() }
        let pointer = block + position
        let number = pointer.load(as: UInt64.self)
        pointer.storeBytes(of: 0, as: UInt64.self)
        position += MemoryLayout<UInt64>.size
        return number
    }

    private func refill() {
        if getentropy(block, SystemEntropy.blockSize) != 0 {
            // The standard library has other sources, and ends the process where there is none.
            var system = SystemRandomNumberGenerator()
            for offset in stride(from: 0, to: SystemEntropy.blockSize, by: MemoryLayout<UInt64>.size) {
                block.storeBytes(of: system.next(), toByteOffset: offset, as: UInt64.self)
            }
        }
        position = 0
    }
}
