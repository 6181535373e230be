// SPDX-License-Identifier: Apache-2.0

/// Bytes that grow, secrets among them: written over where they move from, and when they go.
package struct SecretBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    package private(set) var count = 0

    package init(capacity: Int = 4096) { storage = .allocate(byteCount: max(capacity, 64), alignment: 16) }

    deinit {
        SecretBytes.wipe(storage)
        storage.deallocate()
    }

    /// Calls `body` with the content; valid during the call.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        append(upTo: bytes.count) { space in
            space.copyMemory(from: bytes)
            return bytes.count
        }
    }

    package mutating func append(_ secret: SecretBytes) { secret.withUnsafeBytes { append($0) } }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends as many bytes as `fill` returns that it wrote into the space it was given.
    @discardableResult
    package mutating func append(upTo limit: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        if storage.count - count < limit { resize(to: max(storage.count * 2, count + limit)) }
        let added = min(max(fill(UnsafeMutableRawBufferPointer(rebasing: storage[count..<count + limit])), 0), limit)
        count += added
        return added
    }

    /// Removes the first bytes.
    package mutating func removeFirst(_ length: Int) {
        let kept = count - length
        guard let start = storage.baseAddress, length > 0, kept >= 0 else { return }
        start.copyMemory(overlapping: start + length, byteCount: kept)
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: storage[kept..<count]))
        count = kept
    }

    /// A copy in locked memory.
    package var secret: SecretBytes { withUnsafeBytes { SecretBytes(copying: $0) } }

    private mutating func resize(to size: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
        SecretBytes.wipe(storage)
        storage.deallocate()
        storage = larger
    }
}

extension UnsafeMutableRawPointer {
    /// Moves bytes to here, from the first to the last: correct where the source is behind the target.
    fileprivate func copyMemory(overlapping source: UnsafeMutableRawPointer, byteCount: Int) {
        let (target, source) = (assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt8.self))
        target.update(from: source, count: byteCount)
    }
}
