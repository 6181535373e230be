// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Servers that were made before the program was confined, and what it must not do to reach them.
struct CheckedSockets {
    private let network: Int32
    private let port: in_port_t
    private let local: Int32
    private let name: sockaddr_un

    init() {
        network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let own = network
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(own, pointer, size)
                _ = listen(own, 1)
                _ = getsockname(own, pointer, &size)
            }
        }
        port = address.sin_port
        // An abstract name: the kernel chooses it.
        local = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutablePointer(to: &name.sun_path) { pointer in
            pointer.withMemoryRebound(to: UInt8.self, capacity: 16) { pointer in
                let text = Array("\0autofill-check".utf8)
                for (index, byte) in text.enumerated() { pointer[index] = byte }
                var number = UInt8(truncatingIfNeeded: getpid())
                number = number == 0 ? 1 : number
                pointer[text.count] = number
            }
        }
        self.name = name
        let server = local
        _ = Self.withAddress(of: name) { bind(server, $0, $1) }
        _ = listen(server, 1)
    }

    var descriptors: [Int32] { [network, local] }

    var attempts: [ConfinementCheck.Attempt] {
        [
            ("make a socket", { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
            (
                "make a socket pair",
                {
                    var pair: [Int32] = [0, 0]
                    return socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0
                }
            ),
            (
                "connect by the network",
                {
                    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                    return client >= 0 && Self.with(Self.loopback(port: port)) { connect(client, $0, $1) } == 0
                }
            ),
            (
                "serve the network",
                {
                    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                    return server >= 0 && Self.with(Self.loopback(port: 0)) { bind(server, $0, $1) } == 0
                }
            ),
            (
                "connect to an abstract socket",
                {
                    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                    return client >= 0 && Self.withAddress(of: name) { connect(client, $0, $1) } == 0
                }
            ),
            (
                "make a socket in a directory",
                {
                    var address = sockaddr_un()
                    address.sun_family = sa_family_t(AF_UNIX)
                    address.sun_path.0 = CChar(UInt8(ascii: "s"))
                    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                    return server >= 0 && Self.withAddress(of: address) { bind(server, $0, $1) } == 0
                }
            ),
        ]
    }

    private static func loopback(port: in_port_t) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    private static func with(_ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func withAddress(
        of name: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
