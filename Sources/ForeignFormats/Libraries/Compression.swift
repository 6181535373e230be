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

}

/// gzip, compressed piece by piece.
final class Compressor {
    private let state: OpaquePointer
    private var packed = SecretBuffer(capacity: 1 << 20)

    init() throws(ConversionError) {
        guard let state = af_deflate_open() else { throw ConversionError(.tooLarge(limit: 0)) }
        self.state = state
    }

    deinit { af_deflate_close(state) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ConversionError) {
        af_deflate_input(state, bytes.baseAddress, bytes.count)
        try run(isLast: false)
    }

    /// Ends it, and calls `body` with the whole.
    func end<Result>(
        _ body: (UnsafeRawBufferPointer) throws(ConversionError) -> Result
    ) throws(ConversionError) -> Result {
        af_deflate_input(state, nil, 0)
        try run(isLast: true)
        return try packed.withUnsafeBytes(body)
    }

    private func run(isLast: Bool) throws(ConversionError) {
        var status = 1
        while status > 0 {
            packed.append(upTo: 64 * 1024) { space in
                status = af_deflate_next(state, isLast, space.baseAddress, space.count)
                return status
            }
        }
        guard status == 0 else { throw ConversionError(.damaged) }
    }
}
