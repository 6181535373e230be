// SPDX-License-Identifier: Apache-2.0
internal import NIOConcurrencyHelpers

#if canImport(Glibc)
    internal import Glibc
#endif

/// How many connections there may be: each takes two descriptors as long as it lasts, and the vault and the look at a new
/// peer must never be out of them. Who finds no room waits in the socket's backlog; one process gets at most seven
/// eighths.
final class Admission: Sendable {
    /// Kept free of clients: the daemon's own two dozen, and what a look at a peer takes for a moment.
    private static let reserve = 64
    private let limit: Int
    private let state = NIOLockedValueBox(State())

    private struct State {
        var all = 0
        var byProcess: [Int32: Int] = [:]
    }

    init() {
        var descriptors = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors)
        limit = max(2, (Int(clamping: descriptors.rlim_cur) - Self.reserve) / 2)
    }

    var hasRoom: Bool { state.withLockedValue { $0.all < limit } }

    /// A connection is there, whoever it is.
    func enter() { state.withLockedValue { $0.all += 1 } }

    /// It has gone, before it was known whose it is.
    func leave() { state.withLockedValue { $0.all -= 1 } }

    /// Counts it as the process's; false, with nothing counted, where that has its share.
    func take(for process: Int32) -> Bool {
        state.withLockedValue { state in
            let count = state.byProcess[process, default: 0]
            guard count < limit - limit / 8 else { return false }
            state.byProcess[process] = count + 1
            return true
        }
    }

    /// It has gone, with what was taken for its process.
    func leave(_ process: Int32) {
        state.withLockedValue { state in
            state.all -= 1
            let count = state.byProcess[process, default: 1] - 1
            state.byProcess[process] = count > 0 ? count : nil
        }
    }
}
