// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// The input of one connection that is not answered yet, and where its lines end. What was answered is erased.
struct InputBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The first byte that is not erased.
    private var erased = 0
    /// The first byte that is not answered.
    private var start = 0
    private var end = 0
    private var framing = LineFraming(maximumLength: Limits.lineBytes)
    /// How many bytes, counted from `start`, may have been sent by the program that the peer was before it was
    /// inspected.
    private var early = 0

    enum Line {
        /// Without its line feed; to be dropped with `drop` when it is answered.
        case whole(UnsafeRawBufferPointer)
        /// It was dropped.
        case tooLong
    }

    /// The least space that is read into.
    private static let leastSpace = 4096

    deinit {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[erased..<end]))
        memory.deallocate()
    }

    var isEmpty: Bool { start == end }

    /// The size of its memory, in bytes.
    var capacity: Int { memory.count }

    /// Where the next bytes are received.
    mutating func space(from spares: ReadMemory) -> UnsafeMutableRawBufferPointer {
        if memory.count - end < Self.leastSpace {
            let count = end - start
            let fits = count + Self.leastSpace <= ReadMemory.size
            move(to: fits ? spares.borrow() : ReadMemory.allocate(max(2 * count, count + ReadMemory.size)), spares)
        }
        return UnsafeMutableRawBufferPointer(rebasing: memory[end...])
    }

    /// Records how many bytes were received there.
    mutating func append(_ count: Int) { end += count }

    /// Records how many bytes, received or still to arrive, may have been sent before the peer was inspected.
    mutating func noteEarly(_ count: Int) { early = max(early, count) }

    /// Records that the sender of the bytes received last is unknown.
    mutating func noteUnknownSender() { early = max(early, end - start) }

    /// Whether the next line, or its beginning, may have been sent before the peer was inspected.
    var isEarly: Bool { early > 0 }

    /// The next line; nil where there is no whole one. One that is too long is reported once.
    mutating func next() -> Line? {
        while start < end {
            let unread = UnsafeRawBufferPointer(rebasing: memory[start..<end])
            switch framing.next(in: unread) {
            case .line(let length): return .whole(UnsafeRawBufferPointer(rebasing: unread[..<length]))
            case .tooLong(let count):
                pass(count)
                return .tooLong
            case .skip(let count): pass(count)
            case .needsMore: return nil
            }
        }
        return nil
    }

    /// The bytes after the last whole line.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    /// Drops a line and its line feed, where it has one.
    mutating func drop(_ line: UnsafeRawBufferPointer) { pass(min(end - start, line.count + 1)) }

    private mutating func pass(_ count: Int) {
        start += count
        early = max(0, early - count)
    }

    /// Erases what was answered, and reduces its memory to what the rest needs.
    mutating func settle(_ spares: ReadMemory) {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[erased..<start]))
        erased = start
        let count = end - start
        if count == 0 {
            if memory.count > 0 { spares.putBack(memory) }
            memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            (erased, start, end) = (0, 0, 0)
        } else if count * 4 <= memory.count, memory.count >= ReadMemory.size {
            move(to: ReadMemory.allocate(count), spares)
        }
    }

    private mutating func move(to other: UnsafeMutableRawBufferPointer, _ spares: ReadMemory) {
        let count = end - start
        other.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[erased..<end]))
        if memory.count > 0 { spares.putBack(memory) }
        memory = other
        (erased, start, end) = (0, 0, count)
    }
}
