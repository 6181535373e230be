// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// Follows the state of the user's sessions and of sleep in systemd-logind (org.freedesktop.login1), on the loop and
/// without blocking. Signals of other senders, and those about other users' sessions, are ignored.
package final class LoginManager {
    package enum Signal: Hashable, Sendable {
        /// `loginctl lock-session`, or a desktop that has locked its screen; also when that is found at the beginning.
        case locked
        /// Also when the last session has ended that was locked.
        case unlocked
        /// Sleep is delayed until `letSleep` with this number, for at most four seconds, if logind allows it.
        case fallsAsleep(Int)
        case wokeUp
    }

    package enum State: Hashable, Sendable {
        /// - holdsSleep: whether logind waits for this process before sleep.
        case following(holdsSleep: Bool)
        /// The reason, as text. The connection is retried.
        case absent(String)
    }

    private let loop: EventLoop
    private let address: Bus.Address
    private let receive: (Signal) -> Void
    private let onChange: (State) -> Void
    private var link: LoginLink?
    private let retry: Backoff
    /// The state that was last reported; nil before the first report.
    private var isFollowing: Bool?
    private var observed = Observed()

    /// The state of screens and of sleep that later signals are compared with.
    private struct Observed {
        /// The sessions whose screens were locked when last read.
        private var lockedSessions: Set<String> = []
        /// Those that were ordered to lock, and not to unlock since.
        private var orderedSessions: Set<String> = []
        /// How often the machine has begun to sleep, and whether it has not woken up since.
        private var sleeps = 0
        private var isAsleep = false

        func isAsleep(_ number: Int) -> Bool { isAsleep && number == sleeps }

        mutating func sleep(begins: Bool) -> Signal {
            isAsleep = begins
            if begins { sleeps += 1 }
            return begins ? .fallsAsleep(sleeps) : .wokeUp
        }

        /// nil if the state of the screen has not changed.
        mutating func screen(of session: String, isLocked: Bool) -> Signal? {
            if isLocked { return lockedSessions.insert(session).inserted ? .locked : nil }
            guard lockedSessions.remove(session) != nil else { return nil }
            orderedSessions.remove(session)
            return .unlocked
        }

        mutating func order(to session: String, locks: Bool) -> Signal {
            if locks { orderedSessions.insert(session) } else { orderedSessions.remove(session) }
            return locks ? .locked : .unlocked
        }

        /// nil where no session that ended was locked, or another one still is.
        mutating func end(where hasEnded: (String) -> Bool) -> Signal? {
            let locked = lockedSessions.union(orderedSessions)
            let left = locked.filter { !hasEnded($0) }
            lockedSessions.formIntersection(left)
            orderedSessions.formIntersection(left)
            return left.isEmpty && !locked.isEmpty ? .unlocked : nil
        }

        /// No signal will report that it wakes up.
        mutating func loseSleep() { isAsleep = false }
    }

    /// - Parameters:
    ///   - onChange: is called when logind is followed and when it is absent, once for each change.
    ///   - receive: is called with each signal.
    package init(
        on loop: EventLoop, address: Bus.Address = .system, onChange: @escaping (State) -> Void,
        receive: @escaping (Signal) -> Void
    ) {
        self.loop = loop
        self.address = address
        self.receive = receive
        self.onChange = onChange
        retry = Backoff(on: loop, first: .seconds(1), longest: .seconds(300))
    }

    /// Begins, and continues for as long as this exists. The first report comes in a later turn, or at once if there is
    /// no bus.
    package func start() {
        do throws(BusError) {
            link = try LoginLink(on: loop, address: address) { [unowned self] in handle($0) }
        } catch {
            lose("no system bus (\(error))")
        }
    }

    /// The receiver has handled `.fallsAsleep`: the machine may sleep. Has no effect once that sleep is over: an
    /// inhibitor that is open by then is for the next one.
    package func letSleep(_ number: Int) {
        if observed.isAsleep(number) { link?.letSleep() }
    }

    private func handle(_ event: LoginLink.Event) {
        switch event {
        case .following(let holdsSleep):
            retry.reset()
            if isFollowing != true { onChange(.following(holdsSleep: holdsSleep)) }
            isFollowing = true
        case .ended(let why): lose(why)
        case .sleep(let begins): receive(observed.sleep(begins: begins))
        case .order(let session, let locks): receive(observed.order(to: session, locks: locks))
        case .screen(let session, let isLocked):
            if let signal = observed.screen(of: session, isLocked: isLocked) { receive(signal) }
        case .removed(let session): if let signal = observed.end(where: { $0 == session }) { receive(signal) }
        case .present(let sessions):
            if let signal = observed.end(where: { !sessions.contains($0) }) { receive(signal) }
        }
    }

    private func lose(_ why: String) {
        if isFollowing != false { onChange(.absent(why)) }
        isFollowing = false
        observed.loseSleep()
        retry.schedule { [unowned self] in
            link = nil
            start()
        }
    }
}
