// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Prompting
import Support
import Testing

/// Whether the registrations of `Tests/SharedRegistrations` count: only root's may share an access group.
private let areShared: Bool = {
    guard let broker = try? TestBroker(registrations: TestFiles.sharedRegistrations) else { return false }
    let connection = broker.connect()
    _ = try? connection.hello()
    let status = try? connection.call("status")
    return status?.result?["apps"] as? Int == 2
}()

@Suite(
    "Nobody sees what is not theirs",
    .enabled(if: areShared, "the tests' registrations are not root's: a user's own may share no access group"))
struct IsolationTests {
    @Test(
        "Two apps, two programs of one of them, two users, a shared group: with nobody to ask, each sees only its own",
        arguments: 1...4)
    func nobodyAsked(seed: UInt64) throws {
        var play = try RandomPlay(seed: seed, consent: .absent)
        try play.run(steps: 400)
        for leak in play.leaks { Issue.record("\(leak)") }
        #expect(play.ownSeen > 0)
        #expect(play.sharedSeen == 0)
    }

    @Test("Also where the person says yes to everything, nobody leaves its domain and its groups")
    func allAllowed() throws {
        var shared = 0
        for seed in 11...14 as ClosedRange<UInt64> {
            var play = try RandomPlay(seed: seed, consent: .fixed(.once))
            try play.run(steps: 400)
            for leak in play.leaks { Issue.record("\(leak)") }
            shared += play.sharedSeen
        }
        // The play can find something: what may be shared was.
        #expect(shared > 0)
    }
}

/// Random requests of several programs, each of whose answers is searched for the others' secrets.
private struct RandomPlay {
    struct Actor {
        let app: String
        let domain: String
        let inode: UInt64
    }

    /// A secret: who sent or got it first, and the apps that may ever have it.
    struct Secret {
        let owner: Int
        let apps: Set<String>
    }

    static let actors = [
        Actor(app: "org.example.Notes", domain: "notes.example.com", inode: 7),
        Actor(app: "org.example.Notes", domain: "notes.example.com", inode: 8),
        Actor(app: "org.example.Tasks", domain: "tasks.example.com", inode: 9),
        Actor(app: "org.example.Nobody", domain: "nobody.example.com", inode: 10),
    ]

    let broker: TestBroker
    let isAsked: Bool
    var random: SeededGenerator
    var connections: [BrokerConnection] = []
    /// By their number in `sekret0001`.
    var secrets: [Secret] = []
    /// Drawn by the daemon.
    var drawn: [String: Secret] = [:]
    /// Ids of all kinds that anybody was told.
    var ids: [String] = []
    var leaks: [String] = []
    var ownSeen = 0
    var sharedSeen = 0

    init(seed: UInt64, consent: Consent) throws {
        broker = try TestBroker(consent: consent, registrations: TestFiles.sharedRegistrations)
        random = SeededGenerator(seed: seed)
        if case .absent = consent { isAsked = false } else { isAsked = true }
        for actor in Self.actors { connections.append(try Self.connect(actor, to: broker)) }
    }

    private static func connect(_ actor: Actor, to broker: TestBroker) throws -> BrokerConnection {
        let connection = broker.connect(.process(path: "/home/user/app\(actor.inode)", inode: actor.inode))
        try connection.hello(actor.app)
        return connection
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            let actor = Int.random(in: 0..<Self.actors.count, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<4: connections[actor] = try Self.connect(Self.actors[actor], to: broker)
            case 4..<5:
                try connections[actor].call("vault.lock")
                try connections[actor].call("vault.unlock", Examples.proof)
            case 5..<7: broker.clock.now = broker.clock.now.advanced(byMilliseconds: 20_000)
            default: try request(actor)
            }
        }
    }

    // MARK: - Requests

    private mutating func request(_ actor: Int) throws {
        let (method, apps, parameters) = draw(for: actor)
        let line = try JSONSerialization.data(
            withJSONObject: ["jsonrpc": "2.0", "id": 1, "method": method, "params": parameters])
        for answer in try connections[actor].exchange(String(decoding: line, as: UTF8.self)) {
            try look(at: answer, of: method, for: actor, apps)
        }
    }

    private mutating func one<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    /// A new secret, which the apps that reach the place may have.
    private mutating func secret(_ actor: Int, _ apps: Set<String>) -> String {
        secrets.append(Secret(owner: actor, apps: apps))
        let number = String(secrets.count - 1)
        return "sekret" + String(repeating: "0", count: 4 - number.count) + number
    }

    private mutating func id(_ prefix: String) -> String {
        let fitting = ids.filter { $0.hasPrefix(prefix) }
        return fitting.isEmpty ? prefix + String(repeating: "0", count: 32) : one(fitting)
    }

    /// A method, the apps that reach the place it is about, and its parameters.
    private mutating func draw(for actor: Int) -> (String, Set<String>, [String: Any]) {
        let domain = Self.actors[Bool.random(using: &random) ? actor : one([0, 2, 3])].domain
        let service = ["type": "domain", "value": domain]
        let ofDomain = Set(Self.actors.filter { $0.domain == domain }.map(\.app))
        let group = one([Self.actors[actor].app, "org.example.suite", "org.example.Notes", "org.example.Tasks"])
        let ofGroup: Set<String> = group == "org.example.suite" ? ["org.example.Notes", "org.example.Tasks"] : [group]
        let own: Set<String> = [Self.actors[actor].app]
        let user = one(["ann", "bob"])
        let place: [String: Any] = ["service": "login", "account": user, "accessGroup": group]
        let fields: [[String: Any]] = [
            ["id": "u", "contentType": "username"], ["id": "n", "contentType": "newPassword", "secure": true],
            ["id": "p", "contentType": "password", "secure": true], ["id": "c", "contentType": "oneTimeCode"],
        ]
        let form = one(["form-1", "form-2"])
        func with(_ base: [String: Any], _ more: [String: Any]) -> [String: Any] { base.merging(more) { $1 } }
        switch Int.random(in: 0..<25, using: &random) {
        case 0, 1: return ("autofill.suggest", ofDomain, ["service": service, "form": form, "fields": fields])
        case 2: return ("autofill.fill", ofDomain, ["offer": id("off_"), "fields": fields])
        case 3: return ("autofill.fill", ofDomain, ["credential": id("crd_"), "fields": fields])
        case 4: return ("autofill.fill", ofDomain, ["code": id("otc_"), "fields": fields])
        case 5: return ("autofill.accept", ofDomain, ["offer": id("off_"), "user": user])
        case 6: return ("autofill.accept", ofDomain, ["offer": id("off_"), "replaces": id("crd_")])
        case 7: return ("autofill.decline", ofDomain, ["offer": id("off_")])
        case 8:
            let password = secret(actor, ofDomain)
            let name = one([user, user, secret(actor, ofDomain)])
            return ("credential.save", ofDomain, ["service": service, "user": name, "password": password])
        case 9, 10: return ("credential.get", ofDomain, ["service": service, "user": user])
        case 11: return ("credential.get", ofDomain, ["service": service])
        case 12: return ("credential.list", ofDomain, ["service": service])
        case 13: return ("credential.delete", ofDomain, ["credential": id("crd_")])
        case 14:
            let uri = "otpauth://hotp/a?counter=0&secret=GEZDGNBV"
            return ("code.set", ofDomain, ["service": service, "user": user, "uri": uri])
        case 15: return ("code.get", ofDomain, ["service": service])
        case 16, 17:
            let data = Data(secret(actor, ofGroup).utf8).base64EncodedString()
            return ("keychain.set", ofGroup, with(place, ["data": ["base64": data]]))
        case 18, 19: return ("keychain.get", ofGroup, place)
        case 20:
            let account = one(["ann", "bob", secret(actor, ofGroup)])
            return ("keychain.rename", ofGroup, with(place, ["newAccount": account]))
        case 21:
            return one([("keychain.delete", ofGroup, place), ("verifier.delete", ofGroup, place)])
        case 22: return ("keychain.list", ofGroup, ["service": "login", "accessGroup": group])
        case 23:
            let salt = Data(secret(actor, ofGroup).utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
            let hash = "$scrypt$ln=14,r=8,p=1$\(salt)$aGFzaGhhc2hoYXNoaGFzaA"
            return one([
                ("verifier.import", ofGroup, with(place, ["hash": hash])), ("verifier.export", ofGroup, place),
                ("verifier.export", ofGroup, place),
            ])
        default:
            let name = secret(actor, own)
            // Few: each costs a key derivation.
            let isStart = Int.random(in: 0..<8, using: &random) == 0
            return isStart
                ? ("signIn.start", own, ["name": name, "email": user, "password": "p"])
                : (one(["signIn.status", "signIn.end", "signIn.status"]), own, [:])
        }
    }

    // MARK: - Answers

    private mutating func look(at line: String, of method: String, for actor: Int, _ apps: Set<String>) throws {
        let answer = try TestAnswer(line)
        ids += line.matches(of: #/"((?:off|crd|otc)_[0-9a-f]{32})"/#).map { String($0.1) }
        if ids.count > 64 { ids.removeFirst(ids.count - 64) }
        var text = line
        if let data = answer.result?["data"] as? [String: String] { text += Self.decoded(data["base64"] ?? "") }
        if let hash = answer.text("hash") { text += Self.decoded(hash.split(separator: "$").dropFirst(2).first ?? "") }
        for match in text.matches(of: #/sekret([0-9]{4})/#) {
            guard let number = Int(match.1), number < secrets.count else { continue }
            judge(secrets[number], "\(match.0)", method, actor)
        }
        guard method == "autofill.fill" || method == "credential.get", let password = answer.text("password"),
            !password.hasPrefix("sekret")
        else { return }
        // A drawn password is first seen by whom it was offered to.
        judge(drawn[password] ?? Secret(owner: actor, apps: [Self.actors[actor].app]), password, method, actor)
        if drawn[password] == nil { drawn[password] = Secret(owner: actor, apps: [Self.actors[actor].app]) }
    }

    private mutating func judge(_ secret: Secret, _ text: String, _ method: String, _ actor: Int) {
        if secret.owner == actor {
            ownSeen += 1
        } else if isAsked, secret.apps.contains(Self.actors[actor].app) {
            sharedSeen += 1
        } else {
            leaks.append("\(method) gave \(text) of program \(secret.owner) to program \(actor)")
        }
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return String(decoding: Data(base64Encoded: String(padded)) ?? Data(), as: UTF8.self)
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
