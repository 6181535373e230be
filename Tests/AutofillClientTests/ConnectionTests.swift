// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import DaemonSocket
import Testing

@Suite("Each answer reaches its caller, whatever the other end does")
struct ConnectionTests {
    private static let status = """
        "result":{"protocol":1,"vault":"locked","daemon":{"daemonVersion":"VERSION","ephemeral":false,"clients":1,\
        "apps":0,"problems":[],"memoryLocked":true,"derivationLocked":false,"settingsPath":"/"}}
        """

    private static func status(_ id: Int, version: String) -> String {
        let parts = status.split(separator: "VERSION")
        return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\(parts[0])\(version)\(parts[1])}"
    }

    private func session(_ service: ScriptedService) async throws -> AutofillSession {
        try await AutofillSession.connect(
            bundleID: "org.example.Shop", to: .ofThisProcess(path: service.socket), patience: .seconds(100),
            reconnects: false)
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
            for _ in 0..<3 { group.addTask { try await session.status().daemon?.version ?? "" } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(versions == ["answer-2", "answer-3", "answer-4"])
    }

    @Test("Events, null ids, unknown ids and unknown members are ignored")
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
        #expect(try await session(service).status().daemon?.version == "mine")
    }

    @Test("When the other end closes, all waiting calls fail, and all later ones")
    func connectionLost() async throws {
        let service = try ScriptedService { $0.count == 1 ? [ScriptedService.greeting] : nil }
        let session = try await session(service)
        await #expect(throws: AutofillError.connectionLost) { try await session.status() }
        await #expect(throws: AutofillError.connectionLost) { try await session.status() }
    }

    @Test(
        "A malformed line ends the connection",
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

    @Test("An answer without a required member names the member")
    func wrongAnswer() async throws {
        let service = try ScriptedService { lines in
            lines.count == 1
                ? [ScriptedService.greeting] : [#"{"jsonrpc":"2.0","id":2,"result":{"protocol":1,"vault":7}}"#]
        }
        let session = try await session(service)
        await #expect {
            try await session.status()
        } throws: { error in
            guard case .answerNotUnderstood(let text)? = error as? AutofillError else { return false }
            return text.contains("status: vault")
        }
    }

    @Test("A cancelled task cancels its request, and ends when the service answers")
    func cancellation() async throws {
        let service = try ScriptedService { lines in
            switch lines.count {
            case 1: [ScriptedService.greeting]
            case 2: []
            default:
                [
                    #"{"jsonrpc":"2.0","id":3,"result":{"changed":true}}"#,
                    """
                    {"jsonrpc":"2.0","id":2,"error":{"code":-32800,"message":"","data":{"reasons":[{"reason":"cancelled",\
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

    @Test("The window of a prompt is in the request's context, which is left out without one")
    func window() async throws {
        let service = try ScriptedService { lines in
            if lines.count == 1 { return [ScriptedService.greeting] }
            return [#"{"jsonrpc":"2.0","id":\#(lines.count),"result":{"changed":false}}"#]
        }
        let session = try await session(service)
        _ = try await session.unlockVault(interaction: .allowed(in: "x11:7"))
        _ = try await session.unlockVault()
        #expect(
            service.lines.dropFirst().map { $0.hasSuffix(#""params":{"context":{"parentWindow":"x11:7"}}}"#) } == [
                true, false,
            ])
        #expect(service.lines.last?.contains("context") == false)
    }

    /// Refuses all requests on its first connection for `stopping`, and keeps it open; answers those on the second.
    private func restartingService() throws -> ScriptedService {
        try ScriptedService(connections: 2) { lines in
            if lines.last?.contains(#""method":"hello""#) == true { return [ScriptedService.greeting] }
            guard lines.count(where: { $0.contains(#""method":"hello""#) }) == 1 else {
                return [Self.status(2, version: "restarted")]
            }
            return [
                """
                {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"","data":{"reasons":[{"reason":"stopping",\
                "message":"","fix":"","audience":"user","retry":"now","parameters":{}}]}}}
                """
            ]
        }
    }

    @Test("A call that waited when the service was stopped is sent again, on a connection of its own")
    func stopping() async throws {
        let service = try restartingService()
        let session = try await AutofillSession.connect(
            bundleID: "org.example.Shop", to: .ofThisProcess(path: service.socket), patience: .seconds(100))
        #expect(try await session.status().daemon?.version == "restarted")
        #expect(service.lines.count { $0.contains(#""method":"status""#) } == 2)
    }

    @Test("A call that may have been executed is not sent again when the service stops; the next one connects again")
    func stoppingOnce() async throws {
        let service = try restartingService()
        let session = try await AutofillSession.connect(
            bundleID: "org.example.Shop", to: .ofThisProcess(path: service.socket), patience: .seconds(100))
        await #expect {
            try await session.check("secret", service: "login", account: "ann")
        } throws: { ($0 as? AutofillError)?.isRefused(for: .stopping) == true }
        #expect(try await session.status().daemon?.version == "restarted")
        #expect(service.lines.count { $0.contains("verifier.check") } == 1)
    }

    @Test("An answer without a password is not taken for an empty one")
    func noPassword() async throws {
        let service = try ScriptedService { lines in
            lines.count == 1
                ? [ScriptedService.greeting]
                : [#"{"jsonrpc":"2.0","id":\#(lines.count),"result":{"user":null,"password":null,"values":[]}}"#]
        }
        let session = try await session(service)
        let offer = FoundOffer(offer: "off_2ac3b511dc992e59b6e555afaff41e8e")
        await #expect(throws: AutofillError.answerNotUnderstood("autofill.fill: a password is missing")) {
            try await session.fill(offer)
        }
    }

    private static let subscribed = """
        {"jsonrpc":"2.0","id":2,"result":{"epoch":"e","sequence":0,"at":"2026-11-22T15:01:02.345Z","state":{"vault":"unlocked",\
        "settings":{"keychain":true,"autoFill":true,"strongPasswords":true}}}}
        """

    private static func event(_ number: Int, _ members: String) -> String {
        #"{"jsonrpc":"2.0","method":"event","params":{"epoch":"e","sequence":\#(number),"at":"2026-11-22T15:01:02.345Z",\#(members)}}"#
    }

    @Test("A change of any credential reaches the app; an event about another app's site does not")
    func anythingChanged() async throws {
        let service = try ScriptedService { lines in
            lines.count == 1
                ? [ScriptedService.greeting]
                : [
                    Self.subscribed, Self.event(1, #""type":"associationChanged""#),
                    Self.event(2, #""type":"credentialsChanged""#), Self.event(3, #""type":"vaultUnlocked""#),
                ]
        }
        var seen: [AutofillEvent.Kind] = []
        for await event in try await session(service).events() {
            seen.append(event.kind)
            if seen.count == 2 { break }
        }
        #expect(seen == [.allCredentialsChanged, .vaultUnlocked])
    }

    @Test(
        "A reader of events that lost some gets their number after those that waited, though no other event arrives",
        .timeLimit(.minutes(1)))
    func eventsLost() async throws {
        let waiting = Limits.waitingEvents
        var events = (1...waiting + 6).map { Self.event($0, #""type":"vaultUnlocked""#) }
        // The daemon's own notice, of four events, is the last one that is lost.
        events.append(
            Self.event(waiting + 10, #""type":"eventsLost","from":\#(waiting + 7),"to":\#(waiting + 10)"#))
        let later = Self.event(waiting + 11, #""type":"credentialsChanged""#)
        let service = try ScriptedService { [events] lines in
            switch lines.count {
            case 1: [ScriptedService.greeting]
            case 2: [Self.subscribed] + events
            case 3: [Self.status(3, version: "after them")]
            default: [later, Self.status(4, version: "after it")]
            }
        }
        let session = try await session(service)
        var reader = try await session.events().makeAsyncIterator()
        _ = try await session.status()
        var kinds: [AutofillEvent.Kind] = []
        while kinds.count <= waiting, let event = await reader.next() { kinds.append(event.kind) }
        #expect(kinds.count == waiting + 1 && kinds.dropLast().allSatisfy { $0 == .vaultUnlocked })
        #expect(kinds.last == .eventsLost(10))
        _ = try await session.status()
        let last = await reader.next()
        #expect(last?.kind == .allCredentialsChanged)
    }

    @Test("A request over the limit of a line is not sent, and the session continues")
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
        #expect(try await session.status().daemon?.version == "still there")
    }
}

/// An offer by its id.
private struct FoundOffer: StrongPasswordOffer {
    let offer: String
}
