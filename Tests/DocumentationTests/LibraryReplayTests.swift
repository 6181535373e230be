// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import DaemonSocket
import Foundation
import Support
import Testing

@Suite("The examples of protocol.md, through the client library", .serialized)
struct LibraryReplayTests {
    /// Those that an app or autofillctl can send with typed calls: each line a request, after a hello.
    private static let transcripts: [Support.Transcript] = {
        let all = (try? Replay.transcripts()) ?? []
        return all.filter { transcript in
            transcript.settings["app"] != nil
                && transcript.steps.allSatisfy { step in
                    guard case .send(let line) = step else { return true }
                    let request = LibraryReplayTests.object(line)
                    return request?["id"] != nil && LibraryReplayTests.call(named: request?["method"]) != nil
                }
        }
    }()

    @Test(
        "Each example reads and writes the same through the library's types", .timeLimit(.minutes(10)),
        arguments: LibraryReplayTests.transcripts)
    func replay(_ transcript: Support.Transcript) async throws {
        let consent = transcript.settings["consent"].map { ["--consent", $0] } ?? []
        let daemon = try DaemonProcess(isEphemeral: transcript.settings["vault"] != "missing", arguments: consent)
        let session = try await Self.connect(daemon.socket, transcript.settings["app"] ?? "")
        var placeholders = Placeholders()
        var outcomes: [String: Outcome] = [:]
        for step in transcript.steps {
            switch step {
            case .send(let line):
                let request = try #require(Self.object(placeholders.filledIn(line)))
                let call: any MethodCall.Type = try #require(Self.call(named: request["method"]))
                let parameters = try Self.text(request["params"] ?? [String: Any]())
                outcomes["\(request["id"] ?? "")"] = try await Self.perform(call, parameters, session)
            case .expect(let line):
                let expected = try #require(Self.object(line))
                guard let id = expected["id"], let outcome = outcomes["\(id)"] else { continue }
                if let difference = try outcome.difference(from: expected, &placeholders) {
                    Issue.record("\(transcript), \(id): \(difference)")
                }
            }
        }
    }

    @Test("Most examples are among them")
    func coverage() throws {
        #expect(Self.transcripts.count > 30)
        let sent = Set(
            Self.transcripts.flatMap { $0.steps }.compactMap { step -> String? in
                guard case .send(let line) = step else { return nil }
                return Self.object(line)?["method"] as? String
            })
        let others = Set(Method.allCases.map(\.rawValue)).subtracting(sent)
        #expect(others.isSubset(of: ["hello", "request.cancel"]), "\(others)")
    }

    /// Connects while all other tests keep the machine busy: a hello that came too late is sent again.
    private static func connect(_ socket: String, _ bundleID: String) async throws -> AutofillSession {
        for _ in 0..<20 {
            do throws(AutofillError) {
                return try await AutofillSession.connect(
                    bundleID: bundleID, to: .ofThisProcess(path: socket), patience: .seconds(100), reconnects: false)
            } catch {
                guard error == .unavailable(.notResponding) else { throw error }
            }
        }
        throw AutofillError.unavailable(.notResponding)
    }

    // MARK: - Typed calls

    /// The result of a call: the answer as its type writes it, or the error.
    private enum Outcome {
        case answer(String)
        case failed(AutofillError)
        /// The library's own type does not read the parameters.
        case unreadable(ProtocolProblem)

        func difference(from expected: [String: Any], _ placeholders: inout Placeholders) throws -> String? {
            let data = (expected["error"] as? [String: Any])?["data"] as? [String: Any]
            let reason = (data?["reasons"] as? [[String: Any]])?.first
            func isSame(_ problem: String, _ member: String?) -> Bool {
                let parameters = reason?["parameters"] as? [String: Any]
                return reason?["reason"] as? String == problem && parameters?["member"] as? String == member
            }
            switch self {
            case .answer(let text):
                guard let result = expected["result"] else { return "answered \(text)" }
                return try placeholders.difference(of: text, from: LibraryReplayTests.text(result))
            case .failed(.refused(let reasons)):
                let codes = (data?["reasons"] as? [Any] ?? []).compactMap {
                    ($0 as? [String: Any])?["reason"] as? String
                }
                return codes == reasons.map { $0.code.rawValue } ? nil : "refused: \(reasons.map { $0.code.rawValue })"
            case .failed(.invalidRequest(let request)):
                return isSame(request.problem, request.member) ? nil : "invalid: \(request)"
            case .failed(let error): return "\(error)"
            case .unreadable(let problem):
                return isSame(problem.kind.rawValue, problem.member) ? nil : "not read: \(problem)"
            }
        }
    }

    private static func perform<Call: MethodCall>(
        _ type: Call.Type, _ parameters: String, _ session: AutofillSession
    ) async throws -> Outcome {
        var bytes = Array(parameters.utf8)
        var scanner = JSONScanner(maximumDepth: Limits.depth)
        var read: Result<Call, ProtocolProblem>?
        bytes.withUnsafeMutableBytes { memory in
            try? scanner.scan(UnsafeRawBufferPointer(memory)) { value throws(JSONError) in
                var members = MemberReader(value)
                do throws(ProtocolProblem) {
                    read = .success(try Call(from: &members))
                } catch {
                    read = .failure(error)
                }
            }
        }
        switch read {
        case .success(let call)?:
            do throws(AutofillError) {
                let answer = try await session.perform(call)
                var writer = JSONWriter()
                writer.object(answer)
                return .answer(writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
            } catch {
                return .failed(error)
            }
        case .failure(let problem)?: return .unreadable(problem)
        case nil: throw CocoaError(.coderReadCorrupt)
        }
    }

    private static func call(named name: Any?) -> (any MethodCall.Type)? {
        guard let name = name as? String else { return nil }
        return Method(rawValue: name)?.call
    }

    private static func object(_ line: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }

    private static func text(_ value: Any) throws -> String {
        String(
            decoding: try JSONSerialization.data(withJSONObject: value, options: [.withoutEscapingSlashes]),
            as: UTF8.self)
    }
}
