// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

@Suite(
    "The quotas of one program on the bus", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct BridgeBoundsTests {
    private static let limits = "org.freedesktop.DBus.Error.LimitsExceeded"

    private func failure(_ result: Result<BusMessage, BusError>) -> String? {
        if case .failure(let error) = result { error.name } else { nil }
    }

    @Test("A connection has so many sessions, a process so many connections; others are served all the same")
    func sessions() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        var last = ""
        for _ in 0..<BridgeLimits.sessionsPerCaller { last = try client.session() }
        #expect(throws: BusError.self) { try client.session() }
        let closed = try client.call(last, "Secret.Session", "Close")
        #expect(failure(closed) == nil)
        #expect(try client.session() != last, "a path is not given twice")
        var clients: [BusClient] = []
        for _ in 1..<BridgeLimits.callersPerProcess {
            clients.append(try BusClient(stage))
            #expect(failure(try clients[clients.count - 1].readAlias()) == nil)
        }
        #expect(failure(try BusClient(stage).readAlias()) == Self.limits)
        #expect(try stage.lookup() == "aoao 0 0", "another program is served")
        // A session that ends frees capacity.
        clients.removeLast()
        let more = try BusClient(stage)
        try more.wait { (try? failure(more.readAlias())) == .some(nil) }
    }

    @Test("A flood of calls is refused beyond so many at a time, and each is answered; others are served meanwhile")
    func flood() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        #expect(failure(try client.readAlias()) == nil)
        let bridge = try stage.bridge()
        var (good, refused) = (0, 0)
        for round in 0..<20 {
            for _ in 0..<100 {
                try client.begin(SecretServiceNames.root, "Secret.Service", "SearchItems") { message throws(BusError) in
                    try message.append(["n": "\(round)"])
                } answer: { result in
                    switch result {
                    case .success: good += 1
                    case .failure: refused += 1
                    }
                }
            }
            if round == 10 { #expect(try stage.lookup() == "aoao 0 0") }
        }
        try client.wait { good + refused == 2000 }
        #expect(good >= BridgeLimits.callsPerCaller && refused > 0, "\(good) and \(refused)")
        #expect(try stage.bridge() == bridge)
    }

    @Test("Sessions and prompts belong to the connection that opened them, and are not visible to others")
    func owners() throws {
        let stage = try SecretStage()
        let (one, other) = (try BusClient(stage), try BusClient(stage))
        let session = try one.session()
        #expect(failure(try other.call(session, "Secret.Session", "Close")) == "org.freedesktop.Secret.Error.NoSession")
        #expect(throws: BusError.noSession) { try other.make(["a": "1"], session: session) }
        #expect(try one.make(["a": "1"], session: session).hasPrefix("/org/freedesktop/secrets/collection/login/itm_"))
    }

    @Test("Every call with any arguments is answered, and the bridge continues", arguments: 1...4)
    func fuzzed(seed: UInt64) throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let item = try client.make(["a": "1"], session: session)
        let bridge = try stage.bridge()
        var random = SeededGenerator(seed: seed)
        let paths =
            [
                "", "/collection/login", "/collection/session", "/aliases/default", "/collection/none", "/session/s1",
                "/prompt/p1", "/collection/login/itm_0", "/x", "/aliases/default/itm_00000000000000000000000000000000",
            ].map { SecretServiceNames.root + $0 } + [session, item]
        let interfaces = ["Service", "Collection", "Item", "Session", "Prompt"].map { "Secret." + $0 }
        let members = [
            "OpenSession", "CreateCollection", "SearchItems", "Unlock", "Lock", "GetSecrets", "ReadAlias", "SetAlias",
            "Delete", "CreateItem", "GetSecret", "SetSecret", "Close", "Prompt", "Dismiss", "Get", "GetAll", "Set",
            "Introspect",
        ]
        for _ in 0..<400 {
            let path = try #require(paths.randomElement(using: &random))
            let interface = try #require(
                (interfaces + ["DBus.Properties", "DBus.Introspectable"]).randomElement(using: &random))
            let member = try #require(members.randomElement(using: &random))
            let answer = try client.call(path, interface, member) { message throws(BusError) in
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    try message.appendRandom(paths + interfaces, &random, depth: 0)
                }
            }
            if let name = failure(answer) { #expect(name.hasPrefix("org.freedesktop."), "\(member): \(answer)") }
        }
        #expect(try stage.bridge() == bridge)
        #expect(try client.session().isEmpty == false)
    }
}

extension BusClient {
    fileprivate func readAlias() throws -> Result<BusMessage, BusError> {
        try call(SecretServiceNames.root, "Secret.Service", "ReadAlias") { message throws(BusError) in
            try message.append("default")
        }
    }
}

extension BusMessage {
    /// Any argument: also well-formed ones of the methods.
    fileprivate func appendRandom(
        _ texts: [String], _ random: inout SeededGenerator, depth: Int
    ) throws(BusError) {
        let text = texts.randomElement(using: &random) ?? "x"
        switch Int.random(in: 0...(depth > 2 ? 4 : 9), using: &random) {
        case 0: try append(text)
        case 1: try append(text.hasPrefix("/") ? text : SecretServiceNames.root, type: "o")
        case 2: try append(Bool.random(using: &random))
        case 3: try append(UInt64.random(in: .min ... .max, using: &random))
        case 4: try append(bytes: (0..<Int.random(in: 0...64, using: &random)).map { UInt8($0) })
        case 5: try append([text: "1", "a": "1"])
        case 6:
            try append((0..<Int.random(in: 0...600, using: &random)).map { _ in SecretServiceNames.root }, type: "o")
        case 7:
            try write("r", of: "oayays") { () throws(BusError) in
                try append(texts.last.map { $0.hasPrefix("/") ? $0 : SecretServiceNames.root } ?? "/", type: "o")
                try append(bytes: [])
                try append(bytes: Array(text.utf8))
                try append(text)
            }
        case 8: try write("v", of: "s") { () throws(BusError) in try append(text) }
        default:
            let attributes = [text: text]
            try write("a", of: "{sv}") { () throws(BusError) in
                try append("org.freedesktop.Secret.Item.Attributes", .attributes(attributes))
                try append("org.freedesktop.Secret.Item.Label", .seconds(7))
            }
        }
    }
}
