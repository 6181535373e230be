// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import CredentialHelpers
internal import DaemonSocket
internal import Glibc
internal import SecretMemory

/// Why a call failed: a refusal, or no daemon.
enum HelperFailure: Error {
    case refused([ReasonReport])
    /// The connection ended before the answer.
    case lost
    case trouble(HelperTrouble)

    func isFor(_ reason: String) -> Bool {
        if case .refused(let reasons) = self { reasons.contains { $0.reason == reason } } else { false }
    }

    var trouble: HelperTrouble {
        switch self {
        case .trouble(let trouble): trouble
        case .lost: HelperTrouble("autofilld ended before it answered")
        case .refused(let reasons):
            HelperTrouble(reasons.first.map { "\($0.message). \($0.fix)" } ?? "autofilld refused it")
        }
    }
}

/// A connection to the daemon, one call at a time, which blocks.
final class HelperConnection {
    private let descriptor: Int32
    private var received = SecretBuffer()
    private var lastID: Int64 = 0
    /// In seconds: for connecting, and for the answer to hello.
    private static let patience = 5

    /// Connects to the socket of this process's environment.
    init() throws(HelperFailure) {
        do throws(ServiceAbsence) {
            descriptor = try ServiceSocket.ofThisProcess().connect(within: .seconds(Self.patience))
        } catch {
            throw .trouble(HelperTrouble(error.message))
        }
        Self.limitWaiting(of: descriptor, to: Self.patience)
    }

    deinit { close(descriptor) }

    private static func limitWaiting(of descriptor: Int32, to seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// From now on an answer may take as long as the user needs for a prompt.
    func waitForUser() { Self.limitWaiting(of: descriptor, to: 0) }

    /// - Parameter passed: a descriptor that is sent with the line.
    func perform<Call: MethodCall>(_ call: Call, passing passed: Int32? = nil) throws(HelperFailure)
        -> Call.Answer
    {
        lastID += 1
        try send(call, passed)
        while true {
            if let answer = try answer(to: Call.self) { return answer }
            guard StandardStreams.read(descriptor, into: &received) else {
                throw errno == EAGAIN ? .trouble(HelperTrouble("autofilld does not answer")) : .lost
            }
        }
    }

    private func send(_ call: some MethodCall, _ passed: Int32?) throws(HelperFailure) {
        var writer = JSONWriter()
        writer.request(.number(lastID), call)
        let isSent = writer.withUnsafeBytes { line in
            var rest = line[...]
            var passed = passed
            while !rest.isEmpty {
                let unsent = UnsafeRawBufferPointer(rebasing: rest)
                let count = af_send_with(descriptor, unsent.baseAddress, unsent.count, passed ?? -1)
                guard count > 0 else { return false }
                passed = nil
                rest = rest.dropFirst(Int(count))
            }
            return true
        }
        if !isSent { throw .lost }
    }

    /// The answer, once it is complete.
    private func answer<Call: MethodCall>(to call: Call.Type) throws(HelperFailure) -> Call.Answer? {
        while let length = received.withUnsafeBytes({ LineFraming.lineFeed(in: $0) }) {
            let (id, expected) = (lastID, call)
            let result: Result<Call.Answer, HelperFailure>? = received.withUnsafeBytes { bytes in
                var scanner = JSONScanner(maximumDepth: Limits.depth)
                let line = UnsafeRawBufferPointer(rebasing: bytes[..<length])
                let read = try? scanner.scan(line) { value throws(JSONError) in
                    Self.read(value, as: expected, id: id)
                }
                return read ?? .failure(Self.notUnderstood)
            }
            received.removeFirst(length + 1)
            if let result { return try result.get() }
        }
        return nil
    }

    /// - Returns: nil for a line that does not answer this call.
    private static func read<Call: MethodCall>(
        _ line: JSONValue, as call: Call.Type, id: Int64
    ) -> Result<Call.Answer, HelperFailure>? {
        if let error = (try? line.member("error")) ?? nil {
            var members = MemberReader(error)
            let report: RefusalReport? = try? members.value("data")
            return .failure(report.map { .refused($0.reasons) } ?? notUnderstood)
        }
        guard (try? line.member("id")?.integer()) == id else { return nil }
        guard let result = (try? line.member("result")) ?? nil, result.kind == .object else {
            return .failure(notUnderstood)
        }
        var members = MemberReader(result)
        return Result { () throws(ProtocolProblem) in try Call.Answer(from: &members) }.mapError { _ in notUnderstood }
    }

    private static var notUnderstood: HelperFailure {
        .trouble(HelperTrouble("The answer of autofilld was not understood: bring both to the same version"))
    }
}
