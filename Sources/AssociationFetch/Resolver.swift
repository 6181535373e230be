// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOPosix

/// Asks the system for a host's addresses.
struct Resolver: Sendable {
    /// getaddrinfo(3) blocks, and knows no time limit.
    private let threads: NIOThreadPool

    init(threads: NIOThreadPool) { self.threads = threads }

    /// All addresses, in the system's order of preference; empty where there is none or no answer.
    func addresses(of host: String) async -> [NetworkAddress] {
        (try? await threads.runIfActive { Self.look(up: host) }) ?? []
    }

    private static func look(up host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [NetworkAddress] = []
        var entry = list
        while let found = entry?.pointee {
            if let address = found.ai_addr.flatMap({ Self.address(in: $0) }), !addresses.contains(address) {
                addresses.append(address)
            }
            entry = found.ai_next
        }
        return addresses
    }

    private static func address(in socket: UnsafeMutablePointer<sockaddr>) -> NetworkAddress? {
        let raw = UnsafeRawPointer(socket)
        switch Int32(socket.pointee.sa_family) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            return NetworkAddress(bytes: withUnsafeBytes(of: address.sin_addr) { Array($0) })
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            return NetworkAddress(bytes: withUnsafeBytes(of: address.sin6_addr) { Array($0) })
        default: return nil
        }
    }
}
