// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Writes JSON texts into memory that is used again, and never left behind unwiped: names and secrets are in it.
///
/// Members are in the order in which they are written. Containers take a closure, so that their brackets always match.
package struct JSONWriter: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    /// The bytes written since the last `reset`.
    package private(set) var count = 0
    private var needsComma = false
    /// 64 KiB; what one large text needed beyond it is freed.
    private static let kept = 64 * 1024

    package init(capacity: Int = 1024) {
        storage = .allocate(byteCount: max(capacity, 64), alignment: 16)
    }

    deinit {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: storage[..<count]))
        storage.deallocate()
    }

    /// Gives `body` what has been written; valid during the call.
    package func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
    }

    /// Makes the writer empty; what was written is wiped.
    package mutating func reset() {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: storage[..<count]))
        count = 0
        needsComma = false
        if storage.count > Self.kept { resize(to: Self.kept) }
    }

    /// Discards what was written after the first `start` bytes.
    package mutating func discard(from start: Int) {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: storage[start..<count]))
        count = start
        needsComma = false
    }

    /// Ends the line. The next value begins a text of its own.
    package mutating func endLine() {
        append(UInt8(ascii: "\n"))
        needsComma = false
    }

    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    /// A member's name: printable ASCII without quote and backslash. Its value must be written next.
    package mutating func key(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        separate(reserving: length + 3)
        appendReserved(UInt8(ascii: "\""))
        appendReserved(UnsafeRawBufferPointer(start: name.utf8Start, count: length))
        appendReserved(UInt8(ascii: "\""))
        appendReserved(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func endName() {
        append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the comma that a value needs after another, and reserves `extra` bytes.
    mutating func separate(reserving extra: Int) {
        reserve(extra + 1)
        if needsComma { appendReserved(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Appends a byte that `separate` has reserved.
    @inline(__always)
    mutating func appendReserved(_ byte: UInt8) {
        storage[count] = byte
        count += 1
    }

    /// Appends bytes that `separate` has reserved.
    @inline(__always)
    mutating func appendReserved(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    mutating func append(_ byte: UInt8) {
        if count == storage.count { resize(to: storage.count * 2) }
        storage[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        append(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// Appends `count` bytes that `fill` writes.
    mutating func append(count added: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        reserve(added)
        fill(UnsafeMutableRawBufferPointer(rebasing: storage[count..<count + added]))
        count += added
    }

    private mutating func reserve(_ extra: Int) {
        if storage.count - count < extra { resize(to: max(storage.count * 2, count + extra)) }
    }

    private mutating func open(_ bracket: UInt8) {
        separate(reserving: 1)
        appendReserved(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        append(bracket)
        needsComma = true
    }

    private mutating func resize(to newCount: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: newCount, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: storage[..<count]))
        storage.deallocate()
        storage = larger
    }
}
