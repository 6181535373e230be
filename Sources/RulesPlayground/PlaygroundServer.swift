// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// Serves the page and its figures on 127.0.0.1, at a port that the system chooses, to whoever has the token.
///
/// One thread, one loop over poll(2), one request a connection. A library for HTTP (SwiftNIO, FlyingFox, Hummingbird)
/// would bring a TLS stack or Foundation's URL loading and minutes of building; what is needed of HTTP is two methods
/// with bounded sizes, and each of its other features would have to be switched off.
package final class PlaygroundServer {
    package struct StartFailure: Error, Sendable {
        /// What failed, and the system's cause.
        package let message: String
    }

    private let playground: Playground
    private let access: PlaygroundAccess
    private let listener: Int32
    private let now: () -> ContinuousClock.Instant
    private var connections: [PlaygroundConnection] = []
    private var lastUse: ContinuousClock.Instant

    /// - Parameter now: the clock of all time limits.
    package init(
        _ playground: Playground, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) throws(StartFailure) {
        (self.playground, self.now, lastUse) = (playground, now, now())
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listener = socket(AF_INET, type, 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, Int32(PlaygroundLimits.connections)) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        access = PlaygroundAccess(port: UInt16(bigEndian: address.sin_port))
        guard isListening else {
            throw StartFailure(message: "No port of 127.0.0.1 can be used: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(listener) }

    /// The page's address, with the token: for the user alone.
    package var address: String { access.address }

    /// The page's address for the arguments of another program, good for one use.
    package func launchAddress() -> String { access.launchAddress() }

    /// From now on this process can open nothing: no file, no socket, no program. It only serves the connections to this
    /// server, and writes to what is open. See af_confine.
    package func confine() throws(StartFailure) {
        let failure = af_confine()
        guard failure == 0 else {
            throw StartFailure(message: "This process cannot be confined: \(String(cString: strerror(-failure)))")
        }
    }

    /// Serves until the idle time is over.
    package func run() {
        while true {
            let time = now()
            for connection in connections { connection.end(ifLateAt: time) }
            connections.removeAll(where: \.isOver)
            guard time - lastUse < PlaygroundLimits.idleTime else { return connections.removeAll() }
            var ready = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)] + connections.map(\.poll)
            let count = poll(&ready, nfds_t(ready.count), Int32(clamping: timeout(at: time)))
            guard count > 0 else {
                if count < 0, errno != EINTR { return }
                continue
            }
            for (connection, ready) in zip(connections, ready.dropFirst()) where ready.revents != 0 {
                connection.advance(answer)
            }
            if ready[0].revents != 0 { accept(at: now()) }
        }
    }

    /// Milliseconds to the next limit, rounded up.
    private func timeout(at time: ContinuousClock.Instant) -> Int64 {
        let left = connections.map { $0.timeLeft(at: time) } + [PlaygroundLimits.idleTime - (time - lastUse)]
        let (seconds, attoseconds) = (left.min() ?? .zero).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
    }

    private func accept(at time: ContinuousClock.Instant) {
        while true {
            let socket = af_accept(listener)
            guard socket >= 0 else { return }
            if connections.count == PlaygroundLimits.connections { connections.removeFirst() }
            connections.append(PlaygroundConnection(socket, deadline: time + PlaygroundLimits.connectionTime))
        }
    }

    private func answer(_ request: HTTPRequest, _ body: UnsafeRawBufferPointer) -> HTTPResponse {
        do throws(HTTPStatus) {
            try access.checkOrigin(request)
            if request.path == "/" {
                guard request.method == .get else { throw .methodNotAllowed }
                return PlaygroundPage.response()
            }
            guard let figure = PlaygroundFigure(rawValue: request.path) else { throw .notFound }
            guard request.method == .post else { throw .methodNotAllowed }
            if figure == .token {
                let token = try access.exchange(request)
                lastUse = now()
                return .json(Array("{\"token\":\"\(token)\"}".utf8))
            }
            try access.checkToken(request)
            lastUse = now()
            return try playground.answer(figure, body)
        } catch {
            return .refusal(error)
        }
    }
}

/// What the page asks for, by path.
enum PlaygroundFigure: String {
    case token = "/token"
    case rules = "/rules"
    case passwords = "/passwords"
    case check = "/check"
    case sites = "/sites"
}
