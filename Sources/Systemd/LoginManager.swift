// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// Follows what systemd-logind says of the user's sessions and of sleep (org.freedesktop.login1), on the loop and without
/// waiting. Signals of others than logind, and those about other users' sessions, are passed over.
///
/// Where logind or the bus goes away it tries to reach them again, and then reads anew which screens are locked.
package final class LoginManager {
    package enum Signal: Hashable, Sendable {
        /// `loginctl lock-session`, or a desktop that has locked its screen; also when that is found at the beginning.
        case locked
        case unlocked
        /// Sleep is held up until `letSleep` with this number, for four seconds at most, where logind allows it.
        case fallsAsleep(Int)
        case wokeUp
    }

    package enum State: Hashable, Sendable {
        /// - holdsSleep: whether logind waits for us before sleep.
        case following(holdsSleep: Bool)
        /// The reason in words. It is tried again.
        case absent(String)
    }

    private let loop: EventLoop
    private let address: Bus.Address
    private let receive: (Signal) -> Void
    private let tell: (State) -> Void
    private var link: LoginLink?
    private let retry: Backoff
    /// Whether logind was last told of as followed; nil before the first word.
    private var isFollowing: Bool?
    private var seen = Seen()

    /// What logind has said of screens and of sleep, as far as a later word is judged by it.
    private struct Seen {
        /// The sessions whose screens were last seen locked.
        private var lockedSessions: Set<String> = []
        /// How often the machine has fallen asleep, and whether it has not woken up since.
        private var sleeps = 0
        private var isAsleep = false

        func isAsleep(_ number: Int) -> Bool { isAsleep && number == sleeps }

        mutating func sleep(begins: Bool) -> Signal {
            isAsleep = begins
            if begins { sleeps += 1 }
            return begins ? .fallsAsleep(sleeps) : .wokeUp
        }

        /// nil where the screen was seen so before.
        mutating func screen(of session: String, isLocked: Bool) -> Signal? {
            if isLocked { return lockedSessions.insert(session).inserted ? .locked : nil }
            return lockedSessions.remove(session) == nil ? nil : .unlocked
        }

        /// Nobody tells any more when it wakes up.
        mutating func loseSleep() { isAsleep = false }
    }

    /// - Parameters:
    ///   - tell: hears once that logind is followed, and once that it is absent, each time that this changes.
    ///   - receive: is given each signal.
    package init(
        on loop: EventLoop, address: Bus.Address = .system, tell: @escaping (State) -> Void,
        receive: @escaping (Signal) -> Void
    ) {
        self.loop = loop
        self.address = address
        self.receive = receive
        self.tell = tell
        retry = Backoff(on: loop, first: .seconds(1), longest: .seconds(300))
    }

    /// Begins, and goes on for as long as this lives. The first word comes in a later turn, or at once where there is no bus.
    package func start() {
        do throws(BusError) {
            link = try LoginLink(on: loop, address: address) { [unowned self] in take($0) }
        } catch {
            lose("no system bus (\(error))")
        }
    }

    /// The receiver is done with `.fallsAsleep`: the machine may sleep. Too late for that sleep, it changes nothing: what is
    /// held by then is for the next.
    package func letSleep(_ number: Int) {
        if seen.isAsleep(number) { link?.letSleep() }
    }

    private func take(_ event: LoginLink.Event) {
        switch event {
        case .following(let holdsSleep):
            retry.reset()
            if isFollowing != true { tell(.following(holdsSleep: holdsSleep)) }
            isFollowing = true
        case .ended(let why): lose(why)
        case .sleep(let begins): receive(seen.sleep(begins: begins))
        case .order(let locks): receive(locks ? .locked : .unlocked)
        case .screen(let session, let isLocked):
            if let signal = seen.screen(of: session, isLocked: isLocked) { receive(signal) }
        }
    }

    private func lose(_ why: String) {
        if isFollowing != false { tell(.absent(why)) }
        isFollowing = false
        seen.loseSleep()
        retry.schedule { [unowned self] in
            link = nil
            start()
        }
    }
}
