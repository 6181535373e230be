// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import SecretMemory

/// What is written, collected and passed on in blocks.
package final class ConversionOutput {
    private var buffer = SecretBuffer(capacity: ConversionOutput.block * 2)
    private var writer = JSONWriter()
    private let write: (UnsafeRawBufferPointer) throws(ConversionError) -> Void
    private static let block = 64 * 1024

    package init(_ write: @escaping (UnsafeRawBufferPointer) throws(ConversionError) -> Void) { self.write = write }

    package func append(_ text: String) throws(ConversionError) {
        buffer.append(text)
        try passOn(from: Self.block)
    }

    package func append(_ secret: SecretBytes) throws(ConversionError) {
        buffer.append(secret)
        try passOn(from: Self.block)
    }

    /// A text of JSON that `body` writes.
    package func append(json body: (inout JSONWriter) -> Void) throws(ConversionError) {
        body(&writer)
        writer.withUnsafeBytes { buffer.append($0) }
        writer.reset()
        try passOn(from: Self.block)
    }

    package func flush() throws(ConversionError) { try passOn(from: 1) }

    private func passOn(from limit: Int) throws(ConversionError) {
        guard buffer.count >= limit else { return }
        try buffer.withUnsafeBytes { bytes throws(ConversionError) in try write(bytes) }
        buffer.removeFirst(buffer.count)
    }
}
