// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import BrowserMessages
internal import EventLoop
internal import Glibc
internal import SecretMemory

/// The connection to the browser: standard input and output.
final class BrowserPort {
    /// Input from the browser.
    enum Arrival {
        /// Bytes of one message, valid during the call.
        case message(UnsafeRawBufferPointer)
        /// A message over the limit, which is skipped.
        case tooLong
        /// All available messages have been delivered.
        case pause
        /// The browser has closed standard input.
        case end
    }

    private static let chunkBytes = 64 * 1024

    private let deliver: (Arrival) -> Void
    private var source: IOSource?
    private var bytes = SecretBuffer()
    private var framing = NativeFraming()

    init(on loop: EventLoop, _ deliver: @escaping (Arrival) -> Void) throws(LoopError) {
        self.deliver = deliver
        source = try IOSource(on: loop, descriptor: STDIN_FILENO, events: .readable) { [unowned self] _ in receive() }
    }

    private func receive() {
        var failure: Int32 = 0
        let count = bytes.append(upTo: Self.chunkBytes) { space in
            let count = read(STDIN_FILENO, space.baseAddress, space.count)
            failure = count < 0 ? errno : 0
            return count
        }
        guard count > 0 || failure == EAGAIN || failure == EINTR else {
            source = nil
            return deliver(.end)
        }
        while true {
            switch bytes.withUnsafeBytes({ framing.next(in: $0) }) {
            case .needsMore: return deliver(.pause)
            case .skip(let count): bytes.removeFirst(count)
            case .tooLong(let count):
                bytes.removeFirst(count)
                deliver(.tooLong)
            case .message(let length):
                let range = NativeFraming.headerLength..<NativeFraming.headerLength + length
                bytes.withUnsafeBytes { deliver(.message(UnsafeRawBufferPointer(rebasing: $0[range]))) }
                bytes.removeFirst(range.upperBound)
            }
        }
    }

    /// Writes a message to the browser. If the browser does not read any more, standard input has ended too.
    func send(_ writer: borrowing JSONWriter) {
        var message = SecretBuffer(capacity: NativeFraming.headerLength + writer.count)
        NativeFraming.header(of: writer.count).withUnsafeBytes { message.append($0) }
        writer.withUnsafeBytes { message.append($0) }
        message.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno != EINTR { break }
                rest = rest.dropFirst(max(count, 0))
            }
        }
    }
}
