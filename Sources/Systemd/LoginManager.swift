// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Dispatch
internal import Glibc

/// Follows what systemd-logind says of the user's sessions and of sleep (org.freedesktop.login1), on a queue of its own.
/// Signals of others than logind, and those about other users' sessions, are passed over.
package final class LoginManager: Sendable {
    package enum Signal: String, Sendable {
        /// `loginctl lock-session`, or a desktop that has locked its screen.
        case locked
        case unlocked
        /// Sleep is held up until the receiver is done, where logind allows it.
        case fallsAsleep
        case wokeUp
    }

    /// What it has come to when it has tried to reach logind.
    package enum State: Hashable, Sendable {
        /// - holdsSleep: whether logind waits for us before sleep.
        case following(holdsSleep: Bool)
        /// There is no system bus, or no libsystemd: the reason in words.
        case absent(String)
    }

    /// How long sleep is held up at most. logind itself waits five seconds where nothing else is configured.
    private static let patience = DispatchTimeInterval.seconds(4)

    private let queue = DispatchQueue(label: "autofilld.login")
    // Both are used on `queue` only.
    private nonisolated(unsafe) var login: OpaquePointer?
    private nonisolated(unsafe) var source: (any DispatchSourceRead)?
    private let take: @Sendable (Signal, _ done: @escaping @Sendable () -> Void) -> Void

    /// - Parameter take: is given each signal, on the queue, and calls `done` when it has acted on it.
    package init(_ take: @escaping @Sendable (Signal, _ done: @escaping @Sendable () -> Void) -> Void) {
        self.take = take
    }

    /// Begins, without making anybody wait; `tell` hears once what it has come to. Afterwards it goes on as long as the
    /// process, or until the bus is gone.
    package func start(_ tell: @escaping @Sendable (State) -> Void) {
        queue.async { [self] in
            var opened: OpaquePointer?
            let status = af_login_open(&opened)
            guard status == 0, let opened else { return tell(.absent(Self.text(-status))) }
            login = opened
            let holdsSleep = af_login_hold_sleep(opened) == 0
            let source = DispatchSource.makeReadSource(fileDescriptor: af_login_descriptor(opened), queue: queue)
            source.setEventHandler { [self] in handOut() }
            // The descriptor may be closed only when nothing waits at it any more.
            source.setCancelHandler { [self] in
                af_login_close(login)
                login = nil
            }
            self.source = source
            source.resume()
            tell(.following(holdsSleep: holdsSleep))
            // What came together with answers stands in the library's own queue.
            handOut()
        }
    }

    private static func text(_ code: Int32) -> String {
        code == ELIBACC ? "libsystemd.so.0 is not here" : "no system bus (\(String(cString: strerror(code))))"
    }

    private func handOut() {
        while let login, source?.isCancelled == false {
            let next = af_login_next(login)
            guard next >= 0 else {
                source?.cancel()
                return
            }
            switch Int(next) {
            case AF_LOGIN_LOCKED: take(.locked) {}
            case AF_LOGIN_UNLOCKED: take(.unlocked) {}
            case AF_LOGIN_FALLS_ASLEEP:
                let done = DispatchSemaphore(value: 0)
                take(.fallsAsleep) { done.signal() }
                _ = done.wait(timeout: .now() + Self.patience)
                af_login_let_sleep(login)
            case AF_LOGIN_WOKE_UP:
                _ = af_login_hold_sleep(login)
                take(.wokeUp) {}
            default: return
            }
        }
    }
}
