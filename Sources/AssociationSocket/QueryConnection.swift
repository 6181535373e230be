// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// A connection to a Unix domain socket for one query, closed when it is released.
final class QueryConnection {
    enum Failure: Error {
        case notReached(errno: Int32)
        /// The other end has closed it.
        case ended
        case waiting(WaitFailure)
    }

    private static let chunkBytes = 16 * 1024

    private let descriptor: Int32
    private var readiness: Readiness?

    /// Connects at once, or not at all: also not where too many wait for that socket already.
    init(to path: String, on loop: EventLoop) throws(Failure) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            // The last byte stays 0.
            guard path.utf8.count < buffer.count else { return false }
            buffer.copyBytes(from: path.utf8)
            return true
        }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = fits ? socket(AF_UNIX, Int32(kind), 0) : -1
        guard descriptor >= 0 else { throw .notReached(errno: fits ? errno : ENAMETOOLONG) }
        let connected = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw .notReached(errno: errno) }
        do throws(LoopError) {
            readiness = try Readiness(on: loop, descriptor: descriptor)
        } catch {
            throw .notReached(errno: error.errno)
        }
    }

    deinit {
        readiness = nil
        if descriptor >= 0 { close(descriptor) }
    }

    func send(_ bytes: [UInt8], until deadline: Instant) async throws(Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EAGAIN {
                try await wait(for: .writable, until: deadline)
            } else {
                guard count > 0 else { throw .ended }
                sent += count
            }
        }
    }

    /// Waits for the next bytes, some kilobytes at most.
    func receive(until deadline: Instant) async throws(Failure) -> [UInt8] {
        while true {
            try await wait(for: .readable, until: deadline)
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, filled in
                let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if count < 0 { failure = errno }
                filled = max(0, count)
            }
            if !bytes.isEmpty { return bytes }
            guard failure == EAGAIN else { throw .ended }
        }
    }

    private func wait(for events: IOEvents, until deadline: Instant) async throws(Failure) {
        do throws(WaitFailure) {
            try await readiness?.wait(for: events, until: deadline)
        } catch {
            throw .waiting(error)
        }
    }
}
