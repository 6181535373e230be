// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import SecretMemory

/// Erases network buffers, which may have held a password or a passphrase.
enum SecretWipe {
    /// Overwrites the readable bytes where they lie, and empties the buffer.
    ///
    /// The memory is the heap block behind the buffer. It may be shared with slices of the same block that NIO or the
    /// connection keeps, but no other part of the program looks at these bytes again: they were answered (inbound) or
    /// are with the kernel (outbound). Writing through the pointer, rather than through the buffer, keeps copy-on-write
    /// from making the very copy that nobody would erase.
    static func wipe(_ buffer: inout ByteBuffer) {
        buffer.withUnsafeReadableBytes { bytes in
            SecretBytes.wipe(UnsafeMutableRawBufferPointer(mutating: bytes))
        }
        buffer.moveReaderIndex(to: buffer.writerIndex)
    }
}
