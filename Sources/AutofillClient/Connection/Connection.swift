// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import DaemonSocket
import Dispatch
import Glibc
import Reasons
import Synchronization

/// A socket to the service. Requests are sent in the order made; each answer goes to the caller that waits for its id.
///
/// It reads on one private queue and writes on another, because writing waits until the service reads.
final class Connection: Sendable {
    private let descriptor: Int32
    private let input = DispatchQueue(label: "org.autofilld.client.input")
    private let output = DispatchQueue(label: "org.autofilld.client.output")
    // Safe to share: a dispatch source may be used from any thread (dispatch_source_create(3)); the overlay lacks the
    // annotation. Only `end` uses it after `start`.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let inbox = Mutex(Inbox())
    private let waiting = Mutex(WaitingRequests())
    private let events = Mutex(EventReceivers())
    private let transcript: Transcript?

    private init(_ descriptor: Int32, transcript: Transcript?) {
        self.descriptor = descriptor
        self.transcript = transcript
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: input)
    }

    /// Connects, on another thread than the caller's.
    static func open(
        _ socket: ServiceSocket, within patience: Duration, transcript: Transcript?
    ) async throws(AutofillError) -> Connection {
        let result: Result<Int32, ServiceAbsence> = await withCheckedContinuation { continuation in
            // A private queue: connecting may block, and the shared queues have few threads.
            DispatchQueue(label: "org.autofilld.client.connecting").async {
                continuation.resume(
                    returning: Result { () throws(ServiceAbsence) in try socket.connect(within: patience) })
            }
        }
        switch result {
        case .success(let descriptor):
            let connection = Connection(descriptor, transcript: transcript)
            connection.start()
            return connection
        case .failure(let absence): throw .unavailable(AutofillUnavailable(absence))
        }
    }

    private func start() {
        source.setEventHandler { self.receive() }
        // Closed on the output queue, after all writes: none can use a descriptor number that was assigned again.
        source.setCancelHandler { [descriptor, output] in output.async { _ = Self.close(descriptor) } }
        source.resume()
    }

    /// Whether it was lost or closed.
    var hasEnded: Bool { waiting.withLock { $0.hasEnded } }

    /// Ends the connection. All waiting calls fail. Repeatable.
    func close() { end(.connectionLost) }

    /// Sends a call and waits for its answer.
    ///
    /// - Parameter context: for a call that may prompt.
    /// - Parameter patience: the timeout after which the service counts as not responding; nil to wait for the user without limit.
    /// - Parameter onAnswer: called for a valid answer before anything that was received after it is processed.
    func perform<Call: MethodCall>(
        _ call: Call, in context: PageContext = PageContext(), within patience: Duration? = nil,
        onAnswer: @escaping @Sendable () -> Void = {}
    ) async throws(AutofillError) -> Call.Answer {
        let id = waiting.withLock { $0.reserve() }
        let result: Result<Call.Answer, AutofillError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(id, call, in: context) { line in
                    do throws(AutofillError) {
                        let answer = try Call.answer(in: try line.get())
                        onAnswer()
                        continuation.resume(returning: .success(answer))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
                if let patience { expire(id, after: patience) }
            }
        } onCancel: {
            cancel(id)
        }
        do throws(AutofillError) {
            return try result.get()
        } catch {
            throw error.isRefused(for: .init(.cancelled)) ? .cancelled : error
        }
    }

    private func begin(
        _ id: Int64, _ call: some MethodCall, in context: PageContext, _ waiter: @escaping WaitingRequests.Waiter
    ) {
        let refusal = waiting.withLock { waiting in
            let refusal = waiting.begin(id, waiter)
            // In the lock, so that the line that cancels a request cannot precede it.
            if refusal == nil { output.async { self.send(id, call, in: context) } }
            return refusal
        }
        if let refusal { waiter(.failure(refusal)) }
    }

    private func cancel(_ id: Int64) {
        waiting.withLock { waiting in
            guard waiting.cancel(id) else { return }
            let own = waiting.nextID()
            output.async { self.send(own, RequestCancel(id: .number(id))) }
        }
    }

    private func expire(_ id: Int64, after patience: Duration) {
        let (seconds, attoseconds) = patience.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        input.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            self?.waiting.withLock { $0.finish(id) }?(.failure(.unavailable(.notResponding)))
        }
    }

    /// On the output queue. A failed write is not reported: reading finds that the connection is lost.
    private func send(_ id: Int64, _ call: some MethodCall, in context: PageContext = PageContext()) {
        var writer = JSONWriter()
        writer.request(.number(id), call, in: context)
        writer.withUnsafeBytes { line in
            guard line.count <= Limits.lineBytes else {
                waiting.withLock { $0.finish(id) }?(.failure(AutofillError(ProtocolProblem(.lineTooLong))))
                return
            }
            transcript?(.sent(String(decoding: line.dropLast(), as: UTF8.self)))
            var rest = line[...]
            while !rest.isEmpty {
                let count = Self.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(count, 0))
            }
        }
    }

    /// On the input queue, when there is something to read.
    private func receive() {
        do throws(AutofillError) {
            try inbox.withLock { inbox throws(AutofillError) in
                try inbox.receive(from: descriptor, transcript: transcript) { self.deliver($0) }
            }
        } catch {
            end(error)
        }
    }

    private func deliver(_ line: JSONValue) {
        // An answer that no caller waits for is ignored.
        guard let id = try? line.member("id")?.integer() else { return deliverEvent(line) }
        waiting.withLock { $0.finish(id) }?(.success(line))
    }

    /// A notification of an unknown type is ignored.
    private func deliverEvent(_ line: JSONValue) {
        guard let parameters = (try? line.member("params")) ?? nil, parameters.kind == .object else { return }
        var members = MemberReader(parameters)
        guard let event = (try? EventNotice(from: &members)).flatMap(AutofillEvent.init) else { return }
        events.withLock { $0.receive(event) }
    }

    /// Returns the current state, and the events after it.
    func subscribe() async throws(AutofillError) -> (answer: EventSubscribe.Answer, stream: EventStream) {
        let stream = EventReceiver.stream()
        let receiver = stream.receiver
        let answer = try await perform(EventSubscribe()) {
            let number = self.events.withLock { $0.add(receiver) }
            receiver.arrivals.onTermination = { [weak self] _ in self?.events.withLock { $0.remove(number) } }
        }
        // A session that has ended has no more events.
        if hasEnded { receiver.arrivals.finish() }
        return (answer, stream)
    }

    private func end(_ error: AutofillError) {
        guard let waiters = waiting.withLock({ $0.finishAll(error) }) else { return }
        for waiter in waiters { waiter(.failure(error)) }
        // Outside of the lock, because each acquires it when it ends.
        for continuation in events.withLock({ $0.continuations }) { continuation.finish() }
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        source.cancel()
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private static func close(_ descriptor: Int32) -> Int32 { Glibc.close(descriptor) }
}
