// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import BrowserMessages
internal import Glibc
internal import SecretMemory

/// Carries messages between the extension and the daemon until the browser closes standard input.
final class Host {
    /// How long a daemon that has ended may take to come back; one that was never there is not waited for.
    private static let patience = Duration.seconds(4)
    private static let pause: Int32 = 100

    private let link: DaemonLink
    private var input: [UInt8] = []
    private var framing = NativeFraming()
    private var scanner = JSONScanner(maximumDepth: Limits.depth)
    private var waiting: [Int64: Waiting] = [:]
    private var lastNumber = DaemonLink.helloID
    /// Until when a lost connection is tried again.
    private var deadline: ContinuousClock.Instant?

    /// A message without its answer, under the number of its request.
    private struct Waiting {
        let message: ExtensionMessage
        /// The request, kept until it is answered, and then wiped.
        var line: [UInt8]
        var isSent = false
    }

    init(link: DaemonLink) { self.link = link }

    func run() {
        while true {
            var ready = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ready, 2, deadline == nil ? -1 : Self.pause) >= 0 || errno == EINTR else { return }
            if ready[0].revents != 0, !receive() { return }
            if link.isUp, ready[1].revents != 0, !link.receive({ deliver($0) }) { lose() }
            if deadline != nil { send() }
        }
    }

    /// Takes what the browser has sent; false at its end.
    private func receive() -> Bool {
        let old = input.count
        input += repeatElement(0, count: 64 * 1024)
        let count = input.withUnsafeMutableBytes { all in
            read(STDIN_FILENO, all.baseAddress?.advanced(by: old), all.count - old)
        }
        let isEmpty = count < 0 && (errno == EAGAIN || errno == EINTR)
        input.removeLast(input.count - old - max(count, 0))
        guard count > 0 || isEmpty else { return false }
        var start = 0
        reading: while true {
            switch input.withUnsafeBytes({ framing.next(in: UnsafeRawBufferPointer(rebasing: $0[start...])) }) {
            case .needsMore: break reading
            case .skip(let count): start += count
            case .tooLong(let count):
                start += count
                refuse(nil, nil, .tooLong())
            case .message(let length):
                let place = start + NativeFraming.headerLength
                take(place..<place + length)
                start = place + length
            }
        }
        // What was read may have been a password that the person typed.
        input.withUnsafeMutableBytes { SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: $0[..<start])) }
        input.removeFirst(start)
        send()
        return true
    }

    /// One message of the extension.
    private func take(_ range: Range<Int>) {
        var writer = JSONWriter()
        let number = lastNumber + 1
        let read: Result<ExtensionMessage, ExtensionMessage.Problem> = input.withUnsafeBytes { all in
            var read = Result<ExtensionMessage, ExtensionMessage.Problem>.failure(.init(id: nil, detail: "JSON"))
            _ = try? scanner.scan(UnsafeRawBufferPointer(rebasing: all[range])) { value in
                do throws(ExtensionMessage.Problem) {
                    read = .success(try ExtensionMessage.read(value, as: number, to: &writer))
                } catch {
                    read = .failure(error)
                }
            }
            return read
        }
        switch read {
        case .failure(let problem): refuse(problem.id, nil, .notTaken(problem.detail))
        case .success(let message):
            if case .cancel(let id) = message.action { return cancel(id) }
            let line = writer.lines()
            // The daemon could not say whose line it was.
            guard line.count <= Limits.lineBytes else {
                return refuse(message.id, message.document, .tooLong(limit: Limits.lineBytes))
            }
            lastNumber = number
            waiting[number] = Waiting(message: message, line: line)
        }
    }

    private func cancel(_ id: Int64) {
        guard let (number, taken) = waiting.first(where: { $0.value.message.id == id }) else { return }
        if taken.isSent, link.isUp {
            _ = link.send(
                Array(#"{"jsonrpc":"2.0","method":"request.cancel","params":{"id":\#(number)}}"#.utf8) + [0x0A])
        } else {
            forget(number)
        }
    }

    /// Sends what was not sent yet; connects first where that is needed.
    private func send() {
        guard waiting.values.contains(where: { !$0.isSent }) else { return deadline = nil }
        if !link.isUp {
            do throws(HostRefusal) {
                greet(try link.connect())
            } catch {
                if let deadline, deadline > .now { return }
                deadline = nil
                for number in waiting.keys.sorted() { refuse(number, error) }
                return
            }
        }
        deadline = nil
        for number in waiting.keys.sorted() {
            guard let next = waiting[number], !next.isSent else { continue }
            guard link.send(next.line) else { return }  // the reading end finds the connection lost
            waiting[number]?.isSent = true
        }
    }

    /// A new connection: the extension is told who it is taken for, and from now on what happens.
    private func greet(_ greeting: [UInt8]) {
        var writer = JSONWriter()
        greeting.withUnsafeBytes { writer.connected($0) }
        tell(&writer)
        _ = link.send(
            Array(#"{"jsonrpc":"2.0","id":\#(DaemonLink.helloID),"method":"event.subscribe"}"#.utf8) + [0x0A])
    }

    /// The daemon has ended: what may be asked again waits for it to come back.
    private func lose() {
        for (number, lost) in waiting where lost.isSent {
            if lost.message.isRepeatable { waiting[number]?.isSent = false } else { refuse(number, .connectionLost) }
        }
        if !waiting.isEmpty { deadline = .now + Self.patience }
    }

    private func deliver(_ line: JSONValue) {
        var writer = JSONWriter()
        if let number = try? line.member("id")?.integer() {
            guard let answered = waiting[number]?.message else { return }
            writer.answer(answered, from: line)
            if writer.count > NativeFraming.maximumLength { return refuse(number, .tooLong()) }
            forget(number)
        } else {
            guard let parameters = (try? line.member("params")) ?? nil else { return }
            writer.event(parameters)
        }
        tell(&writer)
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
        tell(&writer)
    }

    /// Writes a message to the browser; where it takes no more, standard input has ended too.
    private func tell(_ writer: inout JSONWriter) {
        let header = NativeFraming.header(of: writer.count)
        writer.withUnsafeBytes { message in
            var bytes = header + message
            bytes.withUnsafeMutableBytes { all in
                var rest = all[...]
                while !rest.isEmpty {
                    let count = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count < 0, errno != EINTR { break }
                    rest = rest.dropFirst(max(count, 0))
                }
                SecretBytes.wipe(all)
            }
        }
        writer.discard(from: 0)
    }
}
