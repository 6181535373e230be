// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import BrowserMessages
internal import DaemonConnection
internal import DaemonSocket
internal import EventLoop
internal import SecretMemory

/// Carries messages between the extension and the daemon until the browser closes standard input.
actor Host {
    /// How long to wait for a daemon that has ended to start again. A daemon that was not available before is not waited for.
    private static let patience = Duration.seconds(4)
    private static let pause = Duration.milliseconds(100)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let caller: Caller
    private var browser: BrowserPort?
    private var link = DaemonLink.down
    private var waiting: [Int64: Waiting] = [:]
    private var lastNumber: Int64 = 0
    /// The time until which a lost connection is retried.
    private var deadline: Instant?
    private var timer: LoopTimer?

    /// A message without its answer, under the number of its request.
    private struct Waiting {
        let message: ExtensionMessage
        /// The request, stored until it is answered, and then wiped.
        var line: [UInt8]
        var isSent = false
    }

    init(for caller: Caller, on loop: EventLoop) { (self.caller, self.loop) = (caller, loop) }

    /// Returns when the browser has closed standard input.
    nonisolated func run() throws(LoopError) {
        try assumeIsolated { $0.start() }.get()
        _ = try loop.run()
    }

    private func start() -> Result<Void, LoopError> {
        timer = LoopTimer(on: loop) { self.send() }
        return Result { () throws(LoopError) in
            browser = try BrowserPort(on: loop) { arrival in
                switch arrival {
                case .message(let bytes): self.receive(bytes)
                case .tooLong: self.refuse(nil, nil, .tooLong())
                case .pause: self.send()
                case .end: self.loop.stop()
                }
            }
        }
    }

    // MARK: - Messages of the browser

    /// Handles one message of the extension.
    private func receive(_ bytes: UnsafeRawBufferPointer) {
        var writer = JSONWriter()
        let number = lastNumber + 1
        var scanner = JSONScanner(maximumDepth: Limits.depth)
        var read = Result<ExtensionMessage, ExtensionMessage.Problem>.failure(.init(id: nil, detail: "JSON"))
        _ = try? scanner.scan(bytes) { value in
            read = Result { () throws(ExtensionMessage.Problem) in
                try ExtensionMessage.read(value, as: number, to: &writer)
            }
        }
        switch read {
        case .failure(let problem): refuse(problem.id, nil, .malformed(problem.detail))
        case .success(let message):
            if case .cancel(let id) = message.action { return cancel(id) }
            let line = writer.lines()
            // The daemon's refusal of a longer line has no id.
            guard line.count <= Limits.lineBytes else {
                return refuse(message.id, message.document, .tooLong(limit: Limits.lineBytes))
            }
            lastNumber = number
            waiting[number] = Waiting(message: message, line: line)
        }
    }

    private func cancel(_ id: Int64) {
        guard let (number, cancelled) = waiting.first(where: { $0.value.message.id == id }) else { return }
        guard cancelled.isSent, let connection = link.connection else { return forget(number) }
        let line = #"{"jsonrpc":"2.0","method":"request.cancel","params":{"id":\#(number)}}"# + "\n"
        Array(line.utf8).withUnsafeBytes { connection.send($0) }
    }

    // MARK: - The daemon

    /// Sends the requests that were not sent yet; connects first if needed.
    private func send() {
        guard waiting.values.contains(where: { !$0.isSent }) else { return }
        switch link {
        case .connecting: return
        case .down:
            link = .connecting
            Task.immediate { await self.connect() }
        case .up(let connection):
            deadline = nil
            for number in waiting.keys.sorted() {
                guard let next = waiting[number], !next.isSent else { continue }
                next.line.withUnsafeBytes { connection.send($0) }
                waiting[number]?.isSent = true
            }
        }
    }

    private func connect() async {
        do throws(HostRefusal) {
            let connection = try open()
            let answer = try await connection.greet(
                for: caller, until: loop.clocks.monotonic() + DaemonLink.patience)
            // It may have ended in the same turn as its answer.
            guard connection.isUp else {
                deadline = deadline ?? loop.clocks.monotonic() + Self.patience
                throw HostRefusal.connectionLost
            }
            greet(answer, on: connection)
        } catch {
            link = .down
            if let deadline, deadline > loop.clocks.monotonic() {
                timer?.schedule(after: Self.pause)
                return
            }
            deadline = nil
            for number in waiting.keys.sorted() { refuse(number, error) }
        }
        send()
    }

    private func open() throws(HostRefusal) -> DaemonConnection {
        do throws(ServiceAbsence) {
            return try DaemonConnection(
                to: .ofThisProcess(), on: loop, onLine: { self.deliver($0) },
                onEnd: { self.lose() })
        } catch {
            throw HostRefusal(error)
        }
    }

    /// A new connection: sends the answer to `hello` to the extension, and subscribes to events.
    private func greet(_ answer: Hello.Answer, on connection: DaemonConnection) {
        link = .up(connection)
        var writer = JSONWriter()
        writer.connected(answer)
        browser?.send(writer)
        Task.immediate { _ = try? await connection.perform(EventSubscribe()) }
    }

    /// The daemon has ended: repeatable requests wait for it to start again.
    private func lose() {
        guard link.connection != nil else { return }
        link = .down
        for (number, lost) in waiting where lost.isSent {
            if lost.message.isRepeatable { waiting[number]?.isSent = false } else { refuse(number, .connectionLost) }
        }
        guard !waiting.isEmpty else { return }
        deadline = loop.clocks.monotonic() + Self.patience
        send()
    }

    private func deliver(_ line: JSONValue) {
        guard let id = try? line.member("id")?.integer() else {
            guard let event = (try? line.member("params")) ?? nil, event.kind == .object else { return }
            var writer = JSONWriter()
            writer.event(event)
            browser?.send(writer)
            return
        }
        guard let message = waiting[id]?.message else { return }
        var writer = JSONWriter()
        writer.answer(message, from: line)
        if writer.count > NativeFraming.maximumLength { return refuse(id, .tooLong()) }
        forget(id)
        browser?.send(writer)
    }

    private func forget(_ number: Int64) {
        guard var line = waiting.removeValue(forKey: number)?.line else { return }
        line.withUnsafeMutableBytes { SecretBytes.wipe($0) }
    }

    private func refuse(_ number: Int64, _ refusal: HostRefusal) {
        guard let message = waiting[number]?.message else { return }
        forget(number)
        refuse(message.id, message.document, refusal)
    }

    private func refuse(_ id: Int64?, _ document: String?, _ refusal: HostRefusal) {
        var writer = JSONWriter()
        writer.refuse(id, document, refusal)
        browser?.send(writer)
    }
}
