// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SecretMemory

/// One connection: reads one request, sends one answer, ends.
final class PlaygroundConnection {
    private enum State {
        case reading
        case sending([UInt8], sent: Int)
        /// The answer was sent; what the client still sends is discarded, so that the answer is not lost with it.
        case draining
        case over
    }

    private let socket: Int32
    private let deadline: ContinuousClock.Instant
    private var state = State.reading
    /// The request; it may have a password, so it is erased.
    private let memory: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var discarded = 0

    init(_ socket: Int32, deadline: ContinuousClock.Instant) {
        (self.socket, self.deadline) = (socket, deadline)
        memory = .allocate(byteCount: PlaygroundLimits.headBytes + PlaygroundLimits.bodyBytes + 1, alignment: 16)
    }

    deinit {
        erase()
        memory.deallocate()
        close(socket)
    }

    var isOver: Bool { if case .over = state { true } else { false } }

    /// What poll waits for.
    var poll: pollfd {
        let isSending = if case .sending = state { true } else { false }
        return pollfd(fd: socket, events: Int16(isSending ? POLLOUT : POLLIN), revents: 0)
    }

    func timeLeft(at now: ContinuousClock.Instant) -> Duration { deadline - now }

    /// Ends a connection whose time is over.
    func end(ifLateAt now: ContinuousClock.Instant) {
        guard now >= deadline, !isOver else { return }
        if case .reading = state {
            let bytes = HTTPResponse.refusal(.tooSlow).bytes
            _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        state = .over
    }

    /// Does what the socket is ready for.
    func advance(_ answer: (HTTPRequest, UnsafeRawBufferPointer) -> HTTPResponse) {
        switch state {
        case .reading: read(answer)
        case .sending: write()
        case .draining: drain()
        case .over: break
        }
    }

    private func read(_ answer: (HTTPRequest, UnsafeRawBufferPointer) -> HTTPResponse) {
        let count = recv(socket, memory.baseAddress?.advanced(by: filled), memory.count - filled, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else {
            state = .over
            return
        }
        filled += count
        do throws(HTTPStatus) {
            guard let (request, body) = try request() else { return }
            respond(answer(request, body))
        } catch {
            respond(.refusal(error))
        }
    }

    /// The request, once it is complete.
    private func request() throws(HTTPStatus) -> (HTTPRequest, UnsafeRawBufferPointer)? {
        let bytes = UnsafeRawBufferPointer(rebasing: memory[..<filled])
        guard let end = Self.headEnd(in: bytes.prefix(PlaygroundLimits.headBytes)) else {
            guard bytes.count < PlaygroundLimits.headBytes else { throw .headTooLarge }
            return nil
        }
        let request = try HTTPRequest(head: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        // One request a connection: another one behind it is refused, with the first.
        guard bytes.count <= end + request.bodyCount else { throw .badRequest }
        guard bytes.count == end + request.bodyCount else { return nil }
        return (request, UnsafeRawBufferPointer(rebasing: bytes[end...]))
    }

    private static func headEnd(in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard bytes.count >= end.count else { return nil }
        return (end.count...bytes.count).first { bytes[$0 - end.count..<$0].elementsEqual(end) }
    }

    private func respond(_ response: HTTPResponse) {
        erase()
        state = .sending(response.bytes, sent: 0)
        write()
    }

    private func write() {
        guard case .sending(let bytes, let sent) = state else { return }
        let count = bytes.withUnsafeBytes { bytes in
            send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count < 0 {
            if errno != EAGAIN, errno != EINTR { state = .over }
        } else if sent + count < bytes.count {
            state = .sending(bytes, sent: sent + count)
        } else {
            shutdown(socket, Int32(SHUT_WR))
            state = .draining
        }
    }

    private func drain() {
        let count = recv(socket, memory.baseAddress, memory.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        filled = max(count, 0)
        erase()
        discarded += max(count, 0)
        if count <= 0 || discarded > 16 * PlaygroundLimits.bodyBytes { state = .over }
    }

    private func erase() {
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[..<filled]))
        filled = 0
    }
}
