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

    /// What is known since the greeting.
    struct Greeted {
        /// The bundle ID by which the daemon knows the caller.
        let app: String
        var isUnlocked: Bool
    }

    let surroundings: Surroundings
    /// The caller's unique name on the bus.
    let name: String
    private(set) var process: CallerProcess?
    private(set) var greeted: Greeted?
    private var connection: DaemonConnection?
    private var isConnecting = false
    private let connected: WaitList<Void>
    /// Is told when the vault was opened or locked.
    private let vaultChanged: () -> Void

    init(to name: String, _ surroundings: Surroundings, vaultChanged: @escaping () -> Void) {
        (self.name, self.surroundings, self.vaultChanged) = (name, surroundings, vaultChanged)
        connected = WaitList(on: surroundings.loop)
    }

    func end() {
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
                case .refused(let reasons) where mayRepeat && error.isFor("stopping"):
                    mayRepeat = false
                    guard !reasons.isEmpty else { throw .refused(reasons) }
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
            if let connection, connection.isUp, greeted != nil { return connection }
            guard isConnecting else { break }
            do throws(WaitFailure) { try await connected.value() } catch {
                throw .other(.failed("The call was given up"))
            }
        }
        isConnecting = true
        defer {
            isConnecting = false
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
        let behalf = Hello.OnBehalfOf(evidence: "D-Bus \(name)")
        do throws(DaemonFailure) {
            let hello = try await opened.perform(
                Hello(bundleID: Self.bundleID, onBehalfOf: behalf), passing: process.pidfd, until: deadline)
            let state = try await opened.perform(EventSubscribe(), until: deadline)
            greeted = Greeted(app: hello.app.bundleID, isUnlocked: state.vault == "unlocked")
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
        greeted?.isUnlocked = false
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
