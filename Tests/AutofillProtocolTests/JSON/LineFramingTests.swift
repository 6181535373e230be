// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import JSONCases
import TestGround
import Testing

@Suite("Framing of lines")
struct LineFramingTests {
    enum Event: Hashable { case line([UInt8]), tooLong }

    /// What comes of a stream that arrives in the given chunks.
    private func events(of chunks: [ArraySlice<UInt8>], maximumLength: Int) -> (events: [Event], rest: [UInt8]) {
        var framing = LineFraming(maximumLength: maximumLength)
        var unread: [UInt8] = []
        var events: [Event] = []
        for chunk in chunks {
            unread += chunk
            taking: while true {
                switch unread.withUnsafeBytes({ framing.next(in: $0) }) {
                case .needsMore: break taking
                case .skip(let count): unread.removeFirst(count)
                case .line(let length):
                    events.append(.line(Array(unread.prefix(length))))
                    unread.removeFirst(length + 1)
                case .tooLong(let count):
                    events.append(.tooLong)
                    unread.removeFirst(count)
                }
            }
            #expect(unread.count <= maximumLength)
        }
        return (events, unread)
    }

    @Test("Lines are found, empty ones too, and what follows the last line feed is kept")
    func lines() {
        let found = events(of: [text("ab\n\ncd\r\nef")[...]], maximumLength: 10)
        #expect(found.events == [.line(text("ab")), .line([]), .line(text("cd\r"))])
        #expect(found.rest == text("ef"))
    }

    @Test("A line of exactly the limit is a line; one byte more is refused once, and the next line is read")
    func limit() {
        let found = events(of: [text("12345\n123456\nab\n12345678901234567890\ncd\n")[...]], maximumLength: 5)
        #expect(found.events == [.line(text("12345")), .tooLong, .line(text("ab")), .tooLong, .line(text("cd"))])
    }

    @Test("An endless line is dropped as it comes and never kept")
    func endless() {
        let chunk = [UInt8](repeating: 0x41, count: 1000)
        let found = events(of: Array(repeating: chunk[...], count: 50) + [text("\nab\n")[...]], maximumLength: 999)
        #expect(found.events == [.tooLong, .line(text("ab"))])
    }

    @Test("However the stream is cut, the same lines come of it", arguments: 0..<200)
    func chunking(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let maximumLength = Int.random(in: 0...12, using: &generator)
        let stream = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
            Int.random(in: 0..<8, using: &generator) == 0 ? 0x0A : UInt8.random(in: 0...255, using: &generator)
        }
        var parts = stream.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let rest = parts.removeLast()
        var expected = parts.map { $0.count <= maximumLength ? Event.line($0) : .tooLong }
        if rest.count > maximumLength { expected.append(.tooLong) }

        for cut in [1, 2, 7, 1000] {
            var chunks: [ArraySlice<UInt8>] = []
            var start = 0
            while start < stream.count {
                let end = min(stream.count, start + Int.random(in: 1...cut, using: &generator))
                chunks.append(stream[start..<end])
                start = end
            }
            let found = events(of: chunks, maximumLength: maximumLength)
            #expect(found.events == expected)
            #expect(found.rest == (rest.count > maximumLength ? [] : rest))
        }
    }
}
