// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// Takes a prompt away, from any thread, once and for good.
package final class Withdrawal: Sendable {
    /// Can be read once the prompt was withdrawn.
    let signal: Int32
    private let trigger: Int32

    /// nil when the process has no descriptors left.
    package init?() {
        var sockets: [Int32] = [-1, -1]
        guard af_socket_pair(&sockets) == 0 else { return nil }
        (signal, trigger) = (sockets[0], sockets[1])
    }

    deinit {
        af_close(signal)
        af_close(trigger)
    }

    package func withdraw() {
        var byte: UInt8 = 1
        _ = af_send_all(trigger, &byte, 1)
    }

    package var isWithdrawn: Bool { af_await_either(signal, -1, 0) == 1 }

    /// Waits this long, unless it is withdrawn before: then false.
    package func wait(milliseconds: Int) -> Bool { af_await_either(signal, -1, Int32(clamping: milliseconds)) == 0 }
}
