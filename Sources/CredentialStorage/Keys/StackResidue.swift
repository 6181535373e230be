// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// What cryptographic code has left on the stack: BoringSSL's assembler keeps a key in its frame and does not erase it.
package enum StackResidue {
    private static let frame = 1024

    /// Overwrites the 128 KiB of this thread's stack below the caller: what has returned by now. To be called from as high up
    /// as possible after a lock; the vault does it itself, from where it is.
    package static func wipe() { wipe(frames: 128) }

    // Each frame wipes a kilobyte of its own, and once more after its callees, so that none becomes a tail call.
    @inline(never)
    private static func wipe(frames: Int) {
        withUnsafeTemporaryAllocation(byteCount: frame, alignment: 16) { memory in
            SecretBytes.wipe(memory)
            if frames > 1 { wipe(frames: frames - 1) }
            SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[..<16]))
        }
    }
}
