// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import DaemonConnection
internal import DaemonSocket
internal import EventLoop
internal import Systemd

/// Why the daemon did not perform a caller's request.
enum LinkFailure: Error {
    case refused([ReasonReport])
    /// No answer within the time limit of a call.
    case waiting
    case other(BusError)

    func isFor(_ reason: String) -> Bool {
        if case .refused(let reasons) = self { reasons.contains { $0.reason == reason } } else { false }
    }

    /// The error that is returned to the caller.
    var reply: BusError {
        switch self {
        case .refused(let reasons): BusError(reasons)
        case .waiting: .isLocked("The prompt of autofilld is not answered yet. Answer it and try again")
        case .other(let error): error
        }
    }
}

/// The connection to the daemon as the delegate of one caller: opened for its first request, and again when it was
/// lost.
final class CallerLink {
    private static let bundleID = "autofilld.secrets"

    private static let gone = LinkFailure.other(.failed("The caller has left the bus"))

    /// The daemon's answer to the greeting.
    struct Greeted {
        /// The bundle ID that the daemon has identified the caller by.
        let app: String
        /// The assurance of that identity, as on the wire.
        let assurance: String
        var isUnlocked: Bool
    }

    private enum State {
        case idle, connecting
        /// The caller has left the bus: no more requests are made for it.
        case ended
    }

    let environment: BridgeEnvironment
    /// The caller's unique name on the bus, and what is displayed of it to the user.
    private let caller: (name: String, evidence: String)
    private(set) var process: CallerProcess?
    /// The daemon's last answer, and whether the caller's connections to the bus were inspected after it.
    private var identified: (greeted: Greeted, isInspected: Bool)?
    /// The connection, and what an event has stated of the vault since it was opened.
    private var link: (connection: DaemonConnection?, isUnlocked: Bool?) = (nil, nil)
    private var state = State.idle
    private let connected: WaitList<Void>
    /// Is called when the vault was unlocked or locked.
    private let vaultChanged: () -> Void

    /// - Parameter evidence: what is displayed of the caller to the user; by default its name on the bus.
    init(
        to name: String, _ environment: BridgeEnvironment, evidence: String? = nil, vaultChanged: @escaping () -> Void
    ) {
        caller = (name, Self.cut(evidence ?? "D-Bus \(name)"))
        (self.environment, self.vaultChanged) = (environment, vaultChanged)
        connected = WaitList(on: environment.loop)
    }

    var name: String { caller.name }

    /// The daemon's answer to the greeting, once the caller's connections to the bus were inspected.
    var greeted: Greeted? { identified.flatMap { $0.isInspected ? $0.greeted : nil } }

    /// The longest beginning of a text that the daemon accepts, cut between characters.
    static func cut(_ evidence: String) -> String {
        var rest = evidence.utf8.prefix(Limits.delegateEvidenceBytes)
        while true {
            if let text = String(rest) { return text }
            rest.removeLast()
        }
    }

    func end() {
        state = .ended
        link.connection?.close()
        link.connection = nil
    }

    /// The daemon's answer to the greeting; connects if necessary.
    func greeting() async throws(LinkFailure) -> Greeted {
        _ = try await open()
        guard let greeted else { throw .other(.failed("autofilld has ended")) }
        return greeted
    }

    /// Calls the daemon. Repeats a repeatable call once, if the daemon ended meanwhile.
    ///
    /// - Parameters:
    ///   - context: for a call that may prompt.
    ///   - deadline: until when the answer is awaited; consent after that serves the next call.
    func perform<Call: MethodCall>(
        _ call: Call, in context: PageContext = PageContext(), until deadline: Instant?
    ) async throws(LinkFailure) -> Call.Answer {
        var mayRepeat = call.isRepeatable
        while true {
            let connection = try await open()
            do throws(DaemonFailure) {
                return try await connection.perform(call, in: context, until: deadline)
            } catch {
                switch error {
                case .lost where mayRepeat: mayRepeat = false
                case .refused where mayRepeat && error.isFor("stopping"):
                    mayRepeat = false
                    link.connection = nil
                case .refused(let reasons): throw .refused(reasons)
                case .notResponding: throw .waiting
                case .lost: throw .other(absent(.notResponding, "autofilld ended before it answered"))
                case .cancelled: throw .other(.failed("The prompt was dismissed"))
                case .notUnderstood:
                    throw .other(
                        .failed("The answer of autofilld is not valid: install the same version of both"))
                }
            }
        }
    }

    /// The connection, after its greeting. Several calls may wait for it.
    private func open() async throws(LinkFailure) -> DaemonConnection {
        while true {
            if state == .ended { throw Self.gone }
            if let connection = link.connection, connection.isUp, greeted != nil { return connection }
            guard state == .connecting else { break }
            do throws(WaitFailure) { try await connected.value() } catch {
                throw .other(.failed("The call was cancelled"))
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
        (identified, link) = (nil, (nil, nil))
        let process: CallerProcess
        do throws(BusError) { process = try await identify() } catch { throw .other(error) }
        while true {
            let opened = try await greet(for: process)
            // After the daemon has identified the program: it is that one to which the connections must belong.
            let finding: BusConnections.Finding
            do throws(BusError) { finding = try await environment.connections.inspect(name, of: process) } catch {
                opened.close()
                throw .other(error)
            }
            if state == .ended { throw Self.gone }
            if finding == .own || finding == .shared && process.isShared {
                identified?.isInspected = true
                link.connection = opened
                return opened
            }
            opened.close()
            guard finding == .shared else { throw .other(foreign(process)) }
            process.isShared = true
        }
    }

    /// A connection to the daemon, for the process as it is now.
    private func greet(for process: CallerProcess) async throws(LinkFailure) -> DaemonConnection {
        link.isUnlocked = nil
        let opened: DaemonConnection
        do throws(ServiceAbsence) {
            opened = try DaemonConnection(
                to: environment.daemon, on: environment.loop, onLine: { [unowned self] in receive($0) },
                onEnd: { [unowned self] in lose() })
        } catch {
            throw .other(absent(error, error.message))
        }
        let deadline = environment.loop.clocks.monotonic() + .milliseconds(BridgeLimits.greetingMilliseconds)
        let behalf = Hello.OnBehalfOf(evidence: caller.evidence, isShared: process.isShared)
        do throws(DaemonFailure) {
            let hello = try await opened.perform(
                Hello(bundleID: Self.bundleID, onBehalfOf: behalf), passing: process.pidfd, until: deadline)
            let state = try await opened.perform(EventSubscribe(), until: deadline)
            // An event may have come with the answer, before this goes on.
            let greeted = Greeted(
                app: hello.app.bundleID, assurance: hello.app.assurance,
                isUnlocked: link.isUnlocked ?? (state.vault == "unlocked"))
            identified = (greeted, isInspected: false)
        } catch {
            guard case .refused(let reasons) = error else {
                throw .other(absent(.notResponding, ServiceAbsence.notResponding.message))
            }
            if let first = reasons.first {
                environment.journal.warn(
                    "autofilld does not accept autofill-secrets as a delegate: \(first.message)", reason: first.reason,
                    fix: first.fix)
            }
            throw .refused(reasons)
        }
        return opened
    }

    /// The process does not hold its connection any more: writes to the journal, and returns the error for the caller.
    private func foreign(_ process: CallerProcess) -> BusError {
        environment.journal.warn(
            "Process \(process.process) connected to the bus, and does not hold that connection any more",
            reason: "identity-mismatch", fix: "A program must make its own connection, and keep it")
        return .denied("The caller is not the process that connected: that one does not hold the connection any more")
    }

    /// The process of the connection to the bus.
    @discardableResult
    func identify() async throws(BusError) -> CallerProcess {
        if let process { return process }
        let found = try await CallerProcess.of(name, environment)
        process = found
        return found
    }

    /// No daemon: writes to the journal, and returns the error for the caller.
    private func absent(_ why: ServiceAbsence, _ message: String) -> BusError {
        environment.journal.warn("\(message). \(why.fix)", reason: why.rawValue, fix: why.fix)
        return .failed("\(message). \(why.fix)")
    }

    private func lose() {
        link.connection = nil
        guard greeted?.isUnlocked == true else { return }
        identified?.greeted.isUnlocked = false
        vaultChanged()
    }

    /// An event.
    private func receive(_ line: JSONValue) {
        guard let parameters = (try? line.member("params")) ?? nil, parameters.kind == .object else { return }
        var members = MemberReader(parameters)
        guard let event = try? EventNotice(from: &members) else { return }
        let isUnlocked: Bool
        switch event.content {
        case .vaultLocked: isUnlocked = false
        case .vaultUnlocked: isUnlocked = true
        default: return
        }
        link.isUnlocked = isUnlocked
        identified?.greeted.isUnlocked = isUnlocked
        vaultChanged()
    }
}
