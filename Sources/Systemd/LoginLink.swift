// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// One connection to logind, until it fails. Identifies logind by the unique name that the bus reports, because the bus
/// also delivers what other programs send directly to this one.
final class LoginLink {
    enum Event {
        case following(holdsSleep: Bool)
        /// The last event.
        case ended(String)
        case sleep(begins: Bool)
        /// One of this user's sessions was ordered to lock or unlock itself.
        case order(session: String, locks: Bool)
        /// Whether a session of this user has its screen locked (LockedHint), when the session was read.
        case screen(session: String, isLocked: Bool)
        /// A session has ended; any user's.
        case removed(session: String)
        /// The sessions of this user, when logind was followed.
        case present(sessions: [String])
    }

    private static let service = "org.freedesktop.login1"
    private static let manager = "/org/freedesktop/login1"
    private static let managerInterface = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let driver = "org.freedesktop.DBus"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// How long sleep is delayed at most. logind itself waits five seconds by default.
    private static let patience = Duration.seconds(4)

    private let report: (Event) -> Void
    private var bus: Bus?
    private var sleepTimer: LoopTimer?
    /// logind's unique name.
    private var owner: String?
    /// Open while logind waits for us.
    private var inhibitor: Int32 = -1

    init(on loop: EventLoop, address: Bus.Address, report: @escaping (Event) -> Void) throws(BusError) {
        self.report = report
        let bus = try Bus(on: loop, address: address) { [unowned self] in end("the system bus has ended") }
        self.bus = bus
        sleepTimer = LoopTimer(on: loop) { [unowned self] in letSleep() }
        try bus.match(
            "type='signal',sender='\(Self.driver)',member='NameOwnerChanged',arg0='\(Self.service)'"
        ) { [unowned self] in ownerHasChanged($0) }
        for (interface, member) in [
            (Self.managerInterface, "PrepareForSleep"), (Self.managerInterface, "SessionRemoved"),
            (Self.session, "Lock"), (Self.session, "Unlock"), (Self.properties, "PropertiesChanged"),
        ] {
            try bus.match("type='signal',sender='\(Self.service)',interface='\(interface)',member='\(member)'") {
                [unowned self] in handle($0)
            }
        }
        // Has logind started if it can be: a name that has an owner is answered at once.
        try bus.call(
            Self.driver, "/org/freedesktop/DBus", Self.driver, "StartServiceByName",
            arguments: { message throws(BusError) in
                try message.append(Self.service)
                try message.append(UInt32(0))
            }
        ) { [unowned self] _ in askOwner() }
    }

    deinit { letSleep() }

    /// Closes the inhibitor.
    func letSleep() {
        sleepTimer?.cancel()
        if inhibitor >= 0 { close(inhibitor) }
        inhibitor = -1
    }

    private func end(_ why: String) {
        owner = nil
        letSleep()
        report(.ended(why))
    }

    // MARK: - The owner of logind's name

    private func askOwner() {
        call(
            Self.driver, "/org/freedesktop/DBus", Self.driver, "GetNameOwner",
            arguments: { message throws(BusError) in try message.append(Self.service) }
        ) { [unowned self] reply in
            do throws(BusError) {
                try follow(reply.get().readString())
            } catch {
                end("no login manager (\(error))")
            }
        }
    }

    private func ownerHasChanged(_ message: BusMessage) {
        guard message.sender == Self.driver else { return }
        do throws(BusError) {
            try message.skip("ss")
            let new = try message.readString()
            if new.isEmpty { end("the login manager has ended") } else { follow(new) }
        } catch { return }
    }

    private func follow(_ name: String) {
        guard name != owner else { return }
        letSleep()
        owner = name
        holdSleep { [unowned self] isHeld in
            report(.following(holdsSleep: isHeld))
            readSessions()
        }
    }

    // MARK: - Sleep

    private func holdSleep(_ done: @escaping (Bool) -> Void) {
        call(
            Self.service, Self.manager, Self.managerInterface, "Inhibit",
            arguments: { message throws(BusError) in
                for text in ["sleep", "autofilld", "The vault is locked first", "delay"] { try message.append(text) }
            }
        ) { [unowned self] reply in
            if inhibitor < 0, let descriptor = try? reply.get().readDescriptor() {
                inhibitor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            }
            done(inhibitor >= 0)
        }
    }

    // MARK: - Signals

    private func handle(_ message: BusMessage) {
        guard let owner, message.sender == owner else { return }
        switch message.member {
        case "PrepareForSleep": if let begins = try? message.readBool() { prepareForSleep(begins) }
        case "SessionRemoved": if let path = try? message.readRemovedSession() { report(.removed(session: path)) }
        case "Lock": ifOwn(message) { [unowned self] in report(.order(session: $0, locks: true)) }
        case "Unlock": ifOwn(message) { [unowned self] in report(.order(session: $0, locks: false)) }
        case "PropertiesChanged":
            if let path = message.path, path.hasPrefix(Self.manager + "/session/") { reportScreen(of: path) }
        default: break
        }
    }

    private func prepareForSleep(_ begins: Bool) {
        if begins {
            sleepTimer?.schedule(after: Self.patience)
        } else {
            // The inhibitor that is still open is for the next sleep.
            sleepTimer?.cancel()
            holdSleep { _ in }
        }
        report(.sleep(begins: begins))
    }

    private func ifOwn(_ message: BusMessage, _ body: @escaping (String) -> Void) {
        guard let path = message.path else { return }
        readState(of: path) { if $0.user == geteuid() { body(path) } }
    }

    // MARK: - Sessions

    private func reportScreen(of path: String) {
        readState(of: path) { [unowned self] state in
            if state.user == geteuid(), let isLocked = state.isLocked {
                report(.screen(session: path, isLocked: isLocked))
            }
        }
    }

    private func readSessions() {
        call(Self.service, Self.manager, Self.managerInterface, "ListSessions") { [unowned self] reply in
            guard let paths = try? reply.get().readOwnSessions(of: geteuid()) else { return }
            report(.present(sessions: paths))
            for path in paths { reportScreen(of: path) }
        }
    }

    private func readState(of path: String, _ body: @escaping (LoginSession) -> Void) {
        call(
            Self.service, path, Self.properties, "GetAll",
            arguments: { message throws(BusError) in try message.append(Self.session) }
        ) { reply in
            if let session = try? reply.get().readSession() { body(session) }
        }
    }

    private func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        arguments: (BusMessage) throws(BusError) -> Void = { _ in },
        reply: @escaping (Result<BusMessage, BusError>) -> Void
    ) {
        do throws(BusError) {
            try bus?.call(destination, path, interface, member, arguments: arguments, reply: reply)
        } catch {
            // The connection has failed, which it reports itself.
        }
    }
}
