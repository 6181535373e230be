// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Answers of one connection for which its socket had no space. What was sent is erased; an empty buffer has no memory.
struct OutputBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start = 0
    private var end = 0

    deinit { erase() }

    var count: Int { end - start }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if memory.count - end < bytes.count { grow(by: bytes.count) }
        UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: bytes)
        end += bytes.count
    }

    /// Drops the first bytes, which were sent.
    mutating func drop(_ count: Int) {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + count]))
        start += count
        guard start == end else { return }
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        (start, end) = (0, 0)
    }

    private mutating func grow(by count: Int) {
        let kept = self.count
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(2 * kept, kept + count), alignment: 16)
        larger.copyMemory(from: bytes)
        erase()
        memory = larger
        (start, end) = (0, kept)
    }

    private func erase() {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[start..<end]))
        memory.deallocate()
    }
}
