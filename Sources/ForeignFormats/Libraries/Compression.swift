// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries
internal import SecretMemory

/// gzip.
enum Compression {
    /// Calls `body` with the decompressed content, which is at most `ConversionLimits.decompressedBytes` long.
    static func withDecompressed<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(ConversionError) -> Result
    ) throws(ConversionError) -> Result {
        guard let state = af_inflate_open(bytes.baseAddress, bytes.count) else { throw ConversionError(.damaged) }
        defer { af_inflate_close(state) }
        var plain = SecretBuffer(capacity: min(bytes.count * 4, ConversionLimits.decompressedBytes))
        var status = 1
        while status > 0 {
            plain.append(upTo: 256 * 1024) { space in
                status = af_inflate_next(state, space.baseAddress, space.count)
                return status
            }
            guard plain.count <= ConversionLimits.decompressedBytes else {
                throw ConversionError(.decompressedTooLarge(limit: ConversionLimits.decompressedBytes))
            }
        }
        guard status == 0 else { throw ConversionError(.damaged) }
        return try plain.withUnsafeBytes(body)
    }

    static func compress(_ bytes: UnsafeRawBufferPointer) throws(ConversionError) -> SecretBytes {
        var buffer = SecretBuffer(capacity: af_gzip_bound(bytes.count))
        buffer.append(upTo: af_gzip_bound(bytes.count)) {
            af_gzip(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count)
        }
        guard buffer.count > 0 else { throw ConversionError(.tooLarge(limit: Int(UInt32.max))) }
        return buffer.secret
    }
}
