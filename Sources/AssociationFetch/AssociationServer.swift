// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import Glibc

/// Answers queries on a Unix socket, one object a line, in order; ends when no client was connected for a while. All on
/// the thread that calls it.
package final class AssociationServer {
    /// The pause of accepting connections when the system has no descriptor left.
    private static let pauseMilliseconds: Int64 = 1000

    private let fetcher: AssociationFetcher
    private let listener: Int32
    private let idleMilliseconds: Int64
    private var clients: [Int32: ClientConnection] = [:]
    private var queue = FetchQueue()
    /// When the last client disconnected, and until when no connection is accepted.
    private var idleSince = MonotonicClock.milliseconds, pausedUntil: Int64 = 0

    /// - Parameters:
    ///   - descriptor: a listening Unix socket.
    ///   - idleLimit: how long the program stays without a connection.
    package init(fetcher: AssociationFetcher, descriptor: Int32, idleLimit: Duration) {
        (self.fetcher, listener) = (fetcher, descriptor)
        idleMilliseconds = Int64(idleLimit / .milliseconds(1))
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { for client in clients.keys { close(client) } }

    /// Serves until no client was connected for the idle limit.
    package func serve() throws(FetcherError) {
        while true {
            let time = MonotonicClock.milliseconds
            let isPaused = pausedUntil > time
            var limit = isPaused ? pausedUntil - time : .max
            if clients.isEmpty {
                limit = min(limit, idleSince + idleMilliseconds - time)
                if limit <= 0 { return }
            }
            var descriptors = clients.map { pollfd(fd: $0, events: $1.state.events, revents: 0) }
            if !isPaused, clients.count < Limits.associationClients {
                descriptors.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
            }
            let finished = try fetcher.wait(for: limit, besides: &descriptors)
            for fetch in finished { answer(fetch) }
            for descriptor in descriptors where descriptor.revents != 0 { handle(descriptor) }
            queue.fill(fetcher.begin)
            // Returns the memory of a query to the system.
            if !finished.isEmpty { af_return_memory(0) }
        }
    }

    private func answer(_ fetch: FinishedFetch) {
        guard let client = queue.finish(fetch.id) else { return }
        clients[client]?.receive(fetch.report)
        send(to: client)
    }

    private func handle(_ ready: pollfd) {
        if ready.fd == listener { return accept() }
        switch clients[ready.fd]?.state {
        case .reading: receive(from: ready.fd)
        case .answering: send(to: ready.fd)
        // The client hung up. A client that only shut down its sending side is still answered.
        case .asking: forget(ready.fd)
        case .closed, nil: break
        }
    }

    private func accept() {
        while clients.count < Limits.associationClients {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else {
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                    pausedUntil = MonotonicClock.milliseconds + Self.pauseMilliseconds
                }
                return
            }
            clients[client] = ClientConnection()
        }
    }

    private func receive(from client: Int32) {
        var bytes = [UInt8](repeating: 0, count: AssociationQuery.lineBytes + 1)
        let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            add(clients[client]?.receive(bytes.prefix(count)), of: client)
        } else if count == 0 || ![EAGAIN, EINTR].contains(errno) {
            clients[client]?.receiveEnd()
        }
        goOn(with: client)
    }

    private func send(to client: Int32) {
        while let answer = clients[client]?.answer, !answer.isEmpty {
            let count = answer.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else {
                if ![EAGAIN, EINTR].contains(errno) { forget(client) }
                return
            }
            add(clients[client]?.sent(count), of: client)
        }
        goOn(with: client)
    }

    private func add(_ query: AssociationQuery??, of client: Int32) {
        if case .some(.some(let query)) = query { queue.add(query, of: client) }
    }

    /// Performs what the state of a connection requires at once.
    private func goOn(with client: Int32) {
        switch clients[client]?.state {
        case .closed: forget(client)
        case .answering: send(to: client)
        case .reading, .asking, nil: break
        }
    }

    private func forget(_ client: Int32) {
        if let id = queue.leave(client) { fetcher.end(id) }
        clients[client] = nil
        close(client)
        if clients.isEmpty { idleSince = MonotonicClock.milliseconds }
    }
}

extension ClientConnection.State {
    /// The events that are watched at the socket. A hang-up is always reported, but later versions of libcurl do not
    /// wait without events.
    fileprivate var events: Int16 {
        switch self {
        case .reading: Int16(POLLIN)
        case .answering: Int16(POLLOUT)
        case .asking, .closed: Int16(POLLPRI)
        }
    }
}
