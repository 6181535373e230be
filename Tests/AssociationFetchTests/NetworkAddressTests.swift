// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import Testing

@Suite("Which addresses are public")
struct NetworkAddressTests {
    @Test(
        "Addresses of the internet are public",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0", "223.255.255.255", "2001:200::1", "2606:4700::1111", "2a00:1450:4001::1", "3ffe::1",
        ])
    func open(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test(
        "Loopback, private, shared, link-local, documentation, multicast, mapped and translated ones are not",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
            "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255", "::", "::1", "::ffff:1.1.1.1", "::ffff:127.0.0.1", "::1.1.1.1", "64:ff9b::1.1.1.1",
            "64:ff9b:1::1", "100::1", "2001::1", "2001:1::1", "2001:db8::1", "2002:0101:0101::1", "3fff::1", "5f00::1",
            "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "4000::1",
        ])
    func closed(text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
    }

    @Test(
        "Texts that are no address are none", arguments: ["", "1.2.3", "01.2.3.4", "1.2.3.4.5", "example.com", "::g"])
    func noAddress(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test("A range covers the addresses that begin with its bits")
    func ranges() throws {
        let range = try #require(AddressRange("172.16.0.0/12"))
        #expect(range.contains(try #require(NetworkAddress("172.31.255.255"))))
        #expect(!range.contains(try #require(NetworkAddress("172.32.0.0"))))
        #expect(!range.contains(try #require(NetworkAddress("::1"))))
        #expect(AddressRange("10.0.0.0") == nil)
        #expect(AddressRange("10.0.0.0/33") == nil)
        #expect(AddressRange("x/8") == nil)
    }
}
