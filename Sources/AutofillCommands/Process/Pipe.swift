// SPDX-License-Identifier: Apache-2.0
import Glibc
import SecretMemory

/// A pipe between this process and a child.
final class Pipe {
    private(set) var readingEnd: Int32
    private(set) var writingEnd: Int32

    init() throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.system, "A pipe cannot be made: \(String(cString: strerror(errno)))")
        }
        // Above the numbers that a child has them at.
        for index in ends.indices {
            let high = fcntl(ends[index], F_DUPFD_CLOEXEC, 16)
            close(ends[index])
            ends[index] = high
        }
        (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    /// One with a line in it, which fits in a pipe.
    convenience init(holding line: SecretBytes) throws(CommandFailure) {
        try self.init()
        line.withUnsafeBytes { _ = write(writingEnd, $0.baseAddress, $0.count) }
        closeWritingEnd()
    }

    deinit {
        closeReadingEnd()
        closeWritingEnd()
    }

    func closeReadingEnd() {
        if readingEnd >= 0 { close(readingEnd) }
        readingEnd = -1
    }

    func closeWritingEnd() {
        if writingEnd >= 0 { close(writingEnd) }
        writingEnd = -1
    }
}
