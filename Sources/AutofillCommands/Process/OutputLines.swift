// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// The output of another process, line by line.
final class OutputLines: Sendable {
    private let readingEnd: Int32
    let writingEnd: Int32
    private let text = Mutex(Text())

    private struct Text {
        var lines: [String] = []
        var unfinished: [UInt8] = []
        var hasEnded = false
    }

    /// Whether all writers have closed it.
    var hasEnded: Bool { text.withLock { $0.hasEnded } }

    init() throws(ChildProcess.StartFailure) {
        var ends: [Int32] = [-1, -1]
        // A pipe cannot be created close-on-exec in one step here (pipe2 is GNU's), a pair of sockets can.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ChildProcess.StartFailure(text: "socketpair: \(String(cString: strerror(errno)))")
        }
        (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    deinit { close(readingEnd) }

    func closeWritingEnd() { close(writingEnd) }

    /// The complete lines since the last call.
    func newLines() -> [String] {
        text.withLock { text in
            defer { text.lines = [] }
            return text.lines
        }
    }

    /// Waits for data here, or at another descriptor, and reads it.
    ///
    /// - Returns: false at the deadline, and when all writers have closed it and there is nothing more to read.
    func waitForMore(or other: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        let left = max(.zero, deadline - .now)
        let milliseconds = Int32(min(left / .milliseconds(1), 60_000).rounded(.up))
        var waits = [
            pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&waits, nfds_t(waits.count), milliseconds)
        if count < 0 { return errno == EINTR }
        return count == 0 ? ContinuousClock.now < deadline : read()
    }

    /// Reads the available data.
    ///
    /// - Returns: false when all writers have closed it and nothing was read: the last lines often arrive with the end.
    @discardableResult
    func read() -> Bool {
        text.withLock { text in
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            var hasRead = false
            while true {
                let count = recv(readingEnd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else {
                    text.hasEnded = count == 0 || errno != EAGAIN
                    return hasRead || !text.hasEnded
                }
                hasRead = true
                for byte in buffer[..<count] {
                    if byte == UInt8(ascii: "\n") {
                        text.lines.append(String(decoding: text.unfinished, as: UTF8.self))
                        text.unfinished = []
                    } else {
                        text.unfinished.append(byte)
                    }
                }
            }
        }
    }
}
