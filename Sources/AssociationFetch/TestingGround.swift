// SPDX-License-Identifier: Apache-2.0

/// The replacement of the internet for the test of an app. It applies to `?mode=developer` only, unless it is set
/// otherwise.
package struct TestingGround: Sendable {
    /// Replaces the answer of the name server.
    package var address: NetworkAddress?
    /// Addresses that may be reached though they are not public.
    package var allowed: [AddressRange]
    package var port: Int?
    /// A PEM file of certificates that are trusted besides the system's.
    package var authority: String?
    /// For the program's own tests: counts for every query.
    package var coversStandardMode: Bool

    package init(
        address: NetworkAddress? = nil, allowed: [AddressRange] = [], port: Int? = nil, authority: String? = nil,
        coversStandardMode: Bool = false
    ) {
        self.address = address
        self.allowed = allowed
        self.port = port
        self.authority = authority
        self.coversStandardMode = coversStandardMode
    }

    func allows(_ address: NetworkAddress) -> Bool { allowed.contains { $0.contains(address) } }
}
