// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import DaemonConnection
internal import DaemonSocket
internal import EventLoop
internal import Systemd

/// Why the daemon did not do what was asked in a caller's name.
enum LinkFailure: Error {
    case refused([ReasonReport])
    /// No answer within the time that a call is held.
    case waiting
    case other(BusError)

    func isFor(_ reason: String) -> Bool {
        if case .refused(let reasons) = self { reasons.contains { $0.reason == reason } } else { false }
    }

    /// What the caller is told.
    var told: BusError {
        switch self {
        case .refused(let reasons): BusError(reasons)
        case .waiting: .isLocked("Nobody has answered the question of autofilld yet. Answer it, and try again")
        case .other(let error): error
        }
    }
}

/// The connection to the daemon in the name of one caller on the bus: made with its first request, and anew when it was lost.
final class CallerLink {
    private static let bundleID = "autofilld.secrets"

    private static let gone = LinkFailure.other(.failed("The caller has left the bus"))

    /// What is known since the greeting.
    struct Greeted {
        /// The bundle ID by which the daemon knows the caller.
        let app: String
        /// How sure it is of that, in the protocol's word.
        let assurance: String
        var isUnlocked: Bool
    }

    private enum State {
        case idle, connecting
        /// The caller has gone: nobody is asked in its name any more.
        case ended
    }

    let surroundings: Surroundings
    /// The caller's unique name on the bus, and what the person is told of it.
    private let caller: (name: String, evidence: String)
    private(set) var process: CallerProcess?
    private(set) var greeted: Greeted?
    private var connection: DaemonConnection?
    private var state = State.idle
    private let connected: WaitList<Void>
    /// Is told when the vault was opened or locked.
    private let vaultChanged: () -> Void

    /// - Parameter evidence: what the person is told of the caller besides; else its name on the bus.
    init(
        to name: String, _ surroundings: Surroundings, evidence: String? = nil, vaultChanged: @escaping () -> Void
    ) {
        caller = (name, Self.cut(evidence ?? "D-Bus \(name)"))
        (self.surroundings, self.vaultChanged) = (surroundings, vaultChanged)
        connected = WaitList(on: surroundings.loop)
    }

    var name: String { caller.name }

    /// As much of a text as the daemon takes, without a part of a character.
    static func cut(_ evidence: String) -> String {
        var rest = evidence.utf8.prefix(Limits.delegateEvidenceBytes)
        while true {
            if let text = String(rest) { return text }
            rest.removeLast()
        }
    }

    func end() {
        state = .ended
        connection?.close()
        connection = nil
    }

    /// What the daemon knows of the caller; connects where it must.
    func greeting() async throws(LinkFailure) -> Greeted {
        _ = try await open()
        guard let greeted else { throw .other(.failed("autofilld has ended")) }
        return greeted
    }

    /// Asks the daemon. What may be asked again is, once, where the daemon ended in between.
    ///
    /// - Parameter deadline: until when the answer is waited for; what a person answers later serves the next call.
    func perform<Call: MethodCall>(_ call: Call, until deadline: Instant?) async throws(LinkFailure) -> Call.Answer {
        var mayRepeat = call.isRepeatable
        while true {
            let connection = try await open()
            do throws(DaemonFailure) {
                return try await connection.perform(call, until: deadline)
            } catch {
                switch error {
                case .lost where mayRepeat: mayRepeat = false
                case .refused where mayRepeat && error.isFor("stopping"):
                    mayRepeat = false
                    self.connection = nil
                case .refused(let reasons): throw .refused(reasons)
                case .notResponding: throw .waiting
                case .lost: throw .other(absent(.notResponding, "autofilld ended before it answered"))
                case .cancelled: throw .other(.failed("It was dismissed"))
                case .notUnderstood:
                    throw .other(
                        .failed("The answer of autofilld was not understood: bring both to the same version"))
                }
            }
        }
    }

    /// The connection, after its greeting. Several calls may wait for one.
    private func open() async throws(LinkFailure) -> DaemonConnection {
        while true {
            if state == .ended { throw Self.gone }
            if let connection, connection.isUp, greeted != nil { return connection }
            guard state == .connecting else { break }
            do throws(WaitFailure) { try await connected.value() } catch {
                throw .other(.failed("The call was given up"))
            }
        }
        state = .connecting
        defer {
            if state == .connecting { state = .idle }
            connected.resumeAll()
        }
        return try await connect()
    }

    private func connect() async throws(LinkFailure) -> DaemonConnection {
        (greeted, connection) = (nil, nil)
        let process: CallerProcess
        do throws(BusError) { process = try await identify() } catch { throw .other(error) }
        let opened: DaemonConnection
        do throws(ServiceAbsence) {
            opened = try DaemonConnection(
                to: surroundings.daemon, on: surroundings.loop, onLine: { [unowned self] in take($0) },
                onEnd: { [unowned self] in lose() })
        } catch {
            throw .other(absent(error, error.message))
        }
        let deadline = surroundings.loop.clocks.monotonic() + .milliseconds(BridgeLimits.greetingMilliseconds)
        let behalf = Hello.OnBehalfOf(evidence: caller.evidence)
        do throws(DaemonFailure) {
            let hello = try await opened.perform(
                Hello(bundleID: Self.bundleID, onBehalfOf: behalf), passing: process.pidfd, until: deadline)
            let state = try await opened.perform(EventSubscribe(), until: deadline)
            greeted = Greeted(
                app: hello.app.bundleID, assurance: hello.app.assurance, isUnlocked: state.vault == "unlocked")
        } catch {
            guard case .refused(let reasons) = error else {
                throw .other(absent(.notResponding, ServiceAbsence.notResponding.message))
            }
            if let first = reasons.first {
                surroundings.journal.warn(
                    "autofilld does not let autofill-secrets speak for others: \(first.message)", reason: first.reason,
                    fix: first.fix)
            }
            throw .refused(reasons)
        }
        if state == .ended { throw Self.gone }
        connection = opened
        return opened
    }

    /// Whose connection to the bus it is.
    @discardableResult
    func identify() async throws(BusError) -> CallerProcess {
        if let process { return process }
        let found = try await CallerProcess.of(name, surroundings)
        process = found
        return found
    }

    /// No daemon: the journal is told, and the caller at once.
    private func absent(_ why: ServiceAbsence, _ message: String) -> BusError {
        surroundings.journal.warn("\(message). \(why.fix)", reason: why.rawValue, fix: why.fix)
        return .failed("\(message). \(why.fix)")
    }

    private func lose() {
        connection = nil
        guard greeted?.isUnlocked == true else { return }
        greeted?.isUnlocked = false
        vaultChanged()
    }

    /// An event.
    private func take(_ line: JSONValue) {
        guard let parameters = (try? line.member("params")) ?? nil, parameters.kind == .object else { return }
        var members = MemberReader(parameters)
        guard let event = try? EventNotice(from: &members) else { return }
        switch event.content {
        case .vaultLocked: greeted?.isUnlocked = false
        case .vaultUnlocked: greeted?.isUnlocked = true
        default: return
        }
        vaultChanged()
    }
}
