// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import Testing

@Suite("Answers find who asked, whatever the other end does")
struct ConnectionTests {
    private static let status = """
        "result":{"version":"VERSION","ephemeral":false,"vault":"locked","vaultPath":null,"credentials":null,\
        "pendingOffers":null,"clients":1,"apps":0,"problems":[],"memoryLocked":true,"settingsPath":"/",\
        "settings":{"keychain":true,"autoFill":true,"strongPasswords":true}}
        """

    private static func status(_ id: Int, version: String) -> String {
        let parts = status.split(separator: "VERSION")
        return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\(parts[0])\(version)\(parts[1])}"
    }

    private func session(_ service: ScriptedService) async throws -> AutofillSession {
        try await AutofillSession.connect(bundleID: "org.example.Shop", socketPath: service.socket)
    }

    @Test("Answers in the reverse order reach the right callers")
    func anyOrder() async throws {
        let service = try ScriptedService { lines in
            switch lines.count {
            case 1: [ScriptedService.greeting]
            case 4: [4, 2, 3].map { Self.status($0, version: "answer-\($0)") }
            default: []
            }
        }
        let session = try await session(service)
        let versions = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 { group.addTask { try await session.status().version } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(versions == ["answer-2", "answer-3", "answer-4"])
    }

    @Test("Events, null ids, unknown ids and unknown members are passed over")
    func passedOver() async throws {
        let service = try ScriptedService { lines in
            lines.count == 1
                ? [ScriptedService.greeting]
                : [
                    #"{"jsonrpc":"2.0","method":"event","params":{"type":"later"}}"#,
                    #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"","data":{}}}"#,
                    Self.status(99, version: "nobody's"), Self.status(2, version: "mine"),
                ]
        }
        #expect(try await session(service).status().version == "mine")
    }

    @Test("When the other end goes, everyone who waits is told, and everyone who asks later")
    func connectionLost() async throws {
        let service = try ScriptedService { $0.count == 1 ? [ScriptedService.greeting] : nil }
        let session = try await session(service)
        await #expect(throws: AutofillError.connectionLost) { try await session.status() }
        await #expect(throws: AutofillError.connectionLost) { try await session.status() }
    }

    @Test(
        "A line that is no answer ends the connection",
        arguments: ["no JSON", #"{"jsonrpc":"2.0","id":2,"id":2}"#, "{}{}"])
    func noJSON(line: String) async throws {
        let service = try ScriptedService { $0.count == 1 ? [ScriptedService.greeting] : [line] }
        let session = try await session(service)
        await #expect {
            try await session.status()
        } throws: { error in
            guard case AutofillError.answerNotUnderstood? = error as? AutofillError else { return false }
            return true
        }
    }

    @Test("An answer without what it must have names the member")
    func wrongAnswer() async throws {
        let service = try ScriptedService { lines in
            lines.count == 1 ? [ScriptedService.greeting] : [#"{"jsonrpc":"2.0","id":2,"result":{"version":7}}"#]
        }
        let session = try await session(service)
        await #expect {
            try await session.status()
        } throws: { error in
            guard case .answerNotUnderstood(let text)? = error as? AutofillError else { return false }
            return text.contains("status: version")
        }
    }

    @Test("A cancelled task takes its request back, and gets its word when the service has it")
    func cancellation() async throws {
        let service = try ScriptedService { lines in
            switch lines.count {
            case 1: [ScriptedService.greeting]
            case 2: []
            default:
                [
                    #"{"jsonrpc":"2.0","id":3,"result":{"changed":true}}"#,
                    """
                    {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"","data":{"reasons":[{"reason":"cancelled",\
                    "message":"","fix":"","audience":"developer","retry":"now","parameters":{}}]}}}
                    """,
                ]
            }
        }
        let session = try await session(service)
        let asked = AsyncStream<Void>.makeStream()
        await withTaskGroup(of: AutofillError?.self) { group in
            group.addTask {
                do throws(AutofillError) {
                    asked.continuation.finish()
                    _ = try await session.status()
                    return nil
                } catch {
                    return error
                }
            }
            for await _ in asked.stream {}
            group.cancelAll()
            for await error in group { #expect(error == .cancelled) }
        }
        let sent = service.lines.dropFirst(2)
        #expect(sent.isEmpty || sent.first?.contains(#""method":"request.cancel","params":{"id":2}"#) == true)
    }

    @Test("A request over the limit of a line is not sent, and the session goes on")
    func tooLong() async throws {
        let service = try ScriptedService { lines in
            lines.count == 1 ? [ScriptedService.greeting] : [Self.status(3, version: "still there")]
        }
        let session = try await session(service)
        let credential = PasswordCredential(user: "jo", password: String(repeating: "x", count: 70_000))
        await #expect {
            try await session.save(credential, for: .domain("shop.example.com"))
        } throws: { error in
            guard case .invalidRequest(let request)? = error as? AutofillError else { return false }
            return request.problem == "line-too-long"
        }
        #expect(try await session.status().version == "still there")
    }
}
