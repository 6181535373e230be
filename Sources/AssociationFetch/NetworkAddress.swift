// SPDX-License-Identifier: Apache-2.0
// Its header has socket addresses too; which module they belong to hangs on the order in which they are loaded.
internal import CCurl
internal import Glibc

/// An IPv4 or IPv6 address: 4 or 16 bytes in network order.
package struct NetworkAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Reads an address as inet_pton(3) has it; nil for anything else.
    package init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Reads a `sockaddr` of IPv4 or IPv6 at that address; nil for another family's.
    init?(socketAddress raw: UnsafeRawPointer) {
        switch Int32(raw.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET: bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6: bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: return nil
        }
    }

    /// Whether anybody on the internet can have it. Of IPv6 only the global unicast space counts (2000::/3), so that
    /// loopback, link-local, private, multicast, IPv4-mapped and NAT64 addresses are out with everything else.
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.closedIPv4.contains { $0.contains(self) } }
        return bytes.count == 16 && bytes[0] & 0xE0 == 0x20 && !Self.closedIPv6.contains { $0.contains(self) }
    }

    /// The IANA IPv4 Special-Purpose Address Registry (RFC 6890), with multicast and what is reserved.
    static let closedIPv4 = ranges(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4")
    /// Within 2000::/3: protocol assignments with Teredo, documentation, 6to4.
    static let closedIPv6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

    private static func ranges(_ texts: String...) -> [AddressRange] { texts.compactMap { AddressRange($0) } }
}

extension NetworkAddress: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        return text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// The addresses that begin with the same bits, `192.0.2.0/24`.
package struct AddressRange: Hashable, Sendable {
    private let address: NetworkAddress
    private let prefixLength: Int

    package init?(_ text: String) {
        let fields = text.split(separator: "/", omittingEmptySubsequences: false)
        guard fields.count == 2, let address = NetworkAddress(String(fields[0])), let length = Int(fields[1]),
            (0...address.bytes.count * 8).contains(length)
        else { return nil }
        self.address = address
        prefixLength = length
    }

    package func contains(_ other: NetworkAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        for bit in 0..<prefixLength {
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            if (other.bytes[bit / 8] ^ address.bytes[bit / 8]) & mask != 0 { return false }
        }
        return true
    }
}
