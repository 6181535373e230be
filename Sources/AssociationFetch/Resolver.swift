// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CCurl
internal import Glibc
internal import Synchronization

/// Resolves host names with the system's resolver, on threads: getaddrinfo(3) blocks, and has no time limit. A caller
/// that times out abandons the look-up; its thread ends when the system has answered.
final class Resolver: Sendable {
    private struct State {
        var waiting: [(id: FetchID, host: String)] = []
        /// Asked, and neither answered nor forgotten.
        var open: Set<FetchID> = []
        var answers: [FetchID: [NetworkAddress]] = [:]
        var threads = 0
        var waker: Waker?

        /// A thread could not be started. Without another one, the waiting look-ups would never be answered.
        mutating func loseThread() {
            threads -= 1
            guard threads == 0, !waiting.isEmpty else { return }
            for (id, _) in waiting where open.remove(id) != nil { answers[id] = [] }
            waiting = []
            waker?.wake()
        }
    }

    private let stackBytes: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - multi: is woken up when there is an answer, until ``stop()``.
    ///   - stackBytes: of each thread.
    init(waking multi: UnsafeMutableRawPointer?, stackBytes: Int = 1 << 20) {
        self.stackBytes = stackBytes
        let waker = multi.map { Waker(multi: $0) }
        state.withLock { $0.waker = waker }
    }

    /// Looks up all addresses of a host, in the system's order of preference.
    func ask(for host: String, as id: FetchID) {
        let needsThread = state.withLock { state in
            state.waiting.append((id, host))
            state.open.insert(id)
            guard state.threads < Limits.associationLookUps else { return false }
            state.threads += 1
            return true
        }
        if needsThread, !startThread() { state.withLock { $0.loseThread() } }
    }

    /// The answer, once; empty where there is no address, no name server or no thread to ask one. Nil while there is
    /// none.
    func answer(to id: FetchID) -> [NetworkAddress]? { state.withLock { $0.answers.removeValue(forKey: id) } }

    /// No caller waits for the answer any more.
    func forget(_ id: FetchID) {
        state.withLock { state in
            state.waiting.removeAll { $0.id == id }
            state.open.remove(id)
            state.answers[id] = nil
        }
    }

    /// No handle is woken up any more.
    func stop() {
        state.withLock { state in
            (state.waiting, state.open) = ([], [])
            state.waker = nil
        }
    }

    private func startThread() -> Bool {
        var (thread, attributes) = (pthread_t(), pthread_attr_t())
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackBytes)
        let resolver = Unmanaged.passRetained(self)
        let number = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Resolver>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, resolver.toOpaque())
        if number != 0 { resolver.release() }
        return number == 0
    }

    /// Answers what waits, and ends with it.
    private func work() {
        while let (id, host) = next() {
            let addresses = Self.resolve(up: host)
            state.withLock { state in
                guard state.open.remove(id) != nil else { return }
                state.answers[id] = addresses
                state.waker?.wake()
            }
        }
    }

    private func next() -> (FetchID, String)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.threads -= 1
            return nil
        }
    }

    private static func resolve(up host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [NetworkAddress] = []
        var entry = list
        while let found = entry?.pointee {
            if let address = found.ai_addr.flatMap({ NetworkAddress(socketAddress: $0) }), !addresses.contains(address)
            {
                addresses.append(address)
            }
            entry = found.ai_next
        }
        return addresses
    }
}

/// Ends a wait of the multi handle's. It may be sent to another thread: curl_multi_wakeup(3) is the one function of a
/// multi handle that any thread may call, and the resolver calls it under the lock under which the handle's owner
/// removes it.
private struct Waker: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer

    func wake() { curl_multi_wakeup(multi) }
}
