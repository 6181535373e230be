// SPDX-License-Identifier: Apache-2.0
internal import NIOConcurrencyHelpers

#if canImport(Glibc)
    internal import Glibc
#endif

/// How many connections there may be: each takes two descriptors as long as it lasts, and the vault and the look at a new
/// peer must never be out of them. Who finds no room waits in the socket's backlog.
final class Admission: Sendable {
    /// Kept free of clients: the daemon's own two dozen, and what a look at a peer takes for a moment.
    private static let reserve = 64
    private let limit: Int
    private let count = NIOLockedValueBox(0)

    init() {
        var descriptors = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors)
        limit = max(1, (Int(clamping: descriptors.rlim_cur) - Self.reserve) / 2)
    }

    var hasRoom: Bool { count.withLockedValue { $0 < limit } }

    func enter() { count.withLockedValue { $0 += 1 } }

    func leave() { count.withLockedValue { $0 -= 1 } }
}
