// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// The kernel's cryptographic random numbers (getrandom, by way of getentropy), fetched a block at a time.
///
/// The block lies in locked memory; a number is erased there as it is handed out, so what was drawn from it cannot
/// be read again. One instance serves one task: it is not `Sendable`. It must not be used after a fork: a child has
/// no copy of its memory.
package final class SystemEntropy: RandomNumberGenerator {
    /// What getentropy gives at most in one call, without interruption.
    private static let blockSize = 256
    private let block: UnsafeMutableRawPointer = af_secret_alloc(SystemEntropy.blockSize)
    private var position = SystemEntropy.blockSize

    package init() {}

    deinit { af_secret_free(block, SystemEntropy.blockSize) }

    package func next() -> UInt64 {
        if position == SystemEntropy.blockSize { refill() }
        let place = block + position
        let number = place.load(as: UInt64.self)
        place.storeBytes(of: 0, as: UInt64.self)
        position += MemoryLayout<UInt64>.size
        return number
    }

    private func refill() {
        if getentropy(block, SystemEntropy.blockSize) != 0 {
            // The standard library knows other ways, and ends the process where there is none.
            var system = SystemRandomNumberGenerator()
            for offset in stride(from: 0, to: SystemEntropy.blockSize, by: MemoryLayout<UInt64>.size) {
                block.storeBytes(of: system.next(), toByteOffset: offset, as: UInt64.self)
            }
        }
        position = 0
    }
}
