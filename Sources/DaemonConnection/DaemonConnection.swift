// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import CAutofillLinux
package import DaemonSocket
package import EventLoop
internal import Glibc
internal import SecretMemory

/// A front end's connection to the daemon, on an event loop. Several calls may wait at once, each for the answer with its id;
/// every other line goes to a handler. It belongs to one actor whose executor is the loop, and is closed when released.
package final class DaemonConnection {
    /// Receives lines that answer no call of `perform`: events, and answers to lines of `send`. Valid during the call.
    package typealias LineHandler = (JSONValue) -> Void

    private let loop: EventLoop
    private let descriptor: Int32
    private var source: IOSource?
    private var inbox = LineInbox()
    private var outbox = SecretBuffer()
    private var waiting: [Int64: (Result<JSONValue, DaemonFailure>) -> Void] = [:]
    /// The ids of `perform` are negative, so that positive ones are free for lines of `send`.
    private var lastID: Int64 = 0
    private let handlers: (line: LineHandler, end: () -> Void)

    /// Connects without waiting. Fails if the listen queue of the daemon is full.
    ///
    /// - Parameter onEnd: called once, after the daemon ended the connection and all waiting calls failed.
    package convenience init(
        to socket: ServiceSocket, on loop: EventLoop, onLine: @escaping LineHandler,
        onEnd: @escaping () -> Void
    ) throws(ServiceAbsence) {
        let descriptor = try socket.connect(within: nil)
        do throws(LoopError) {
            try self.init(descriptor, on: loop, onLine: onLine, onEnd: onEnd)
        } catch {
            throw .noSocket
        }
    }

    /// - Parameter descriptor: a connected socket with O_NONBLOCK. The connection owns it, also if this throws.
    package init(
        _ descriptor: Int32, on loop: EventLoop, onLine: @escaping LineHandler, onEnd: @escaping () -> Void
    ) throws(LoopError) {
        (self.descriptor, self.loop, handlers) = (descriptor, loop, (onLine, onEnd))
        source = try IOSource(on: loop, descriptor: descriptor, events: .readable) { [unowned self] in ready($0) }
    }

    deinit {
        source = nil
        Glibc.close(descriptor)
    }

    package var isUp: Bool { source != nil }

    /// Sends a call and waits for its answer. When the task is cancelled the request is cancelled, too. After the deadline it is
    /// not, because the user may be about to answer a prompt.
    ///
    /// - Parameters:
    ///   - context: for a call that may prompt.
    ///   - passed: a descriptor that is passed with the line; -1 for none.
    ///   - deadline: on CLOCK_MONOTONIC; nil for no deadline.
    package func perform<Call: MethodCall>(
        _ call: Call, in context: PageContext = PageContext(), passing passed: Int32 = -1,
        until deadline: Instant? = nil
    ) async throws(DaemonFailure) -> Call.Answer {
        lastID -= 1
        let id = lastID
        let wait = Wait<Result<Call.Answer, DaemonFailure>>(on: loop)
        waiting[id] = { line in wait.resume(returning: line.flatMap { Call.read($0) }) }
        defer { waiting[id] = nil }
        guard isUp else { throw .lost }
        try write(id, call, in: context, passing: passed)
        let result: Result<Call.Answer, DaemonFailure>
        do throws(WaitFailure) { result = try await wait.value(until: deadline) } catch {
            guard error == .cancelled else { throw .notResponding }
            lastID -= 1
            try write(lastID, RequestCancel(id: .number(id)), passing: -1)
            throw .cancelled
        }
        return try result.get()
    }

    private func write(
        _ id: Int64, _ call: some MethodCall, in context: PageContext = PageContext(), passing passed: Int32
    ) throws(DaemonFailure) {
        var writer = JSONWriter()
        writer.request(.number(id), call, in: context)
        try writer.withUnsafeBytes { line throws(DaemonFailure) in
            guard line.count <= Limits.lineBytes else { throw .refused([ReasonReport(ProtocolProblem(.lineTooLong))]) }
            send(line, passing: passed)
        }
    }

    /// Sends a line, with its line feed, whose answer goes to the handler of lines. Its id, if it has one, is at least 1.
    ///
    /// A failure is not reported: reading finds that the connection is lost.
    /// - Parameter passed: a descriptor that is passed with the first byte; -1 for none. If it cannot be sent at once the
    ///   connection ends: without it the line would have another meaning.
    package func send(_ line: UnsafeRawBufferPointer, passing passed: Int32 = -1) {
        guard isUp else { return }
        var sent = 0
        if outbox.count == 0 { sent = max(0, af_send_with(descriptor, line.baseAddress, line.count, passed)) }
        if passed >= 0, sent == 0 {
            shutdown(descriptor, Int32(SHUT_RDWR))
            return
        }
        guard sent < line.count else { return }
        outbox.append(UnsafeRawBufferPointer(rebasing: line[sent...]))
        source?.setEvents([.readable, .writable])
    }

    /// Ends the connection without calling the handlers. Waiting calls fail.
    package func close() {
        source = nil
        shutdown(descriptor, Int32(SHUT_RDWR))
        let lost = waiting
        waiting = [:]
        for waiter in lost.values { waiter(.failure(.lost)) }
    }

    private func ready(_ events: IOEvents) {
        if events.contains(.writable) { flush() }
        guard events != .writable else { return }
        // A handler may close, and release, the connection.
        withExtendedLifetime(self) {
            let isOpen = inbox.receive(from: descriptor) { [self] line in if isUp { deliver(line) } }
            guard !isOpen, isUp else { return }
            close()
            handlers.end()
        }
    }

    private func deliver(_ line: JSONValue) {
        guard let id = try? line.member("id")?.integer(), let waiter = waiting.removeValue(forKey: id) else {
            return handlers.line(line)
        }
        waiter(.success(line))
    }

    private func flush() {
        let sent = outbox.withUnsafeBytes { af_send_now(descriptor, $0.baseAddress, $0.count) }
        outbox.removeFirst(max(0, sent))
        if outbox.count == 0 { source?.setEvents(.readable) }
    }
}
