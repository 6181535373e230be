// SPDX-License-Identifier: Apache-2.0
import CLoad

/// Pins this process, and those that it starts meanwhile, to one core.
///
/// On more than one, the time of a round trip between two processes depends on the scheduler's choice of a core for the
/// one that wakes: the same bare echo needs 10 µs or 55.
enum OneCore {
    static func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        load_on_one_core()
        defer { load_on_all_cores() }
        return try body()
    }
}
