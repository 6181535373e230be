// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import Prompting
import Support
import TestGround

/// Random requests of several programs. Everything that comes to one of them, answers and events, is searched for what
/// the others wrote: each secret and each name is a text that occurs nowhere else.
struct RandomPlay {
    struct Actor {
        let app: String
        let domain: String
        let inode: UInt64
    }

    /// A secret, a name or an id: who wrote or got it first, and the apps that may have it by the person's word.
    struct Treasure {
        let owner: Int
        let apps: Set<String>
    }

    /// Two programs of one app, another app, one that receives codes, and one that nobody registered.
    static let actors = [
        Actor(app: "org.example.Notes", domain: "notes.example.com", inode: 7),
        Actor(app: "org.example.Notes", domain: "notes.example.com", inode: 8),
        Actor(app: "org.example.Tasks", domain: "tasks.example.com", inode: 9),
        Actor(app: "org.example.Post", domain: "tasks.example.com", inode: 10),
        Actor(app: "org.example.Nobody", domain: "nobody.example.com", inode: 11),
    ]

    /// The apps whose registrations name a domain.
    static func apps(of domain: String) -> Set<String> {
        switch domain {
        case "notes.example.com": ["org.example.Notes"]
        case "tasks.example.com": ["org.example.Tasks"]
        default: []
        }
    }

    let daemon: TestService
    let isAsked: Bool
    var random: SeededGenerator
    private var connections: [ServiceConnection] = []
    private let person: ServiceConnection
    /// By their texts. A number is never given twice.
    var treasures: [String: Treasure] = [:]
    var count = 0
    /// The user names that a program knows of a domain, because it chose them.
    var users: [String: [String]] = [:]
    /// Ids of all kinds that anybody was told.
    var ids: [String] = []
    private(set) var leaks: [String] = []
    /// The methods that gave a program what is its own, and what another program wrote.
    private(set) var own: Set<Method> = []
    private(set) var shared: Set<Method> = []

    init(seed: UInt64, consent: Consent) throws {
        daemon = try TestService(consent: consent, registrations: isolated.registrations)
        random = SeededGenerator(seed: seed)
        if case .absent = consent { isAsked = false } else { isAsked = true }
        person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        for actor in Self.actors.indices { connections.append(try connect(actor)) }
    }

    private func connect(_ actor: Int) throws -> ServiceConnection {
        let connection = try daemon.connect(as: Self.actors[actor].app, inode: Self.actors[actor].inode)
        try connection.call("event.subscribe")
        return connection
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            let actor = Int.random(in: 0..<Self.actors.count, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<3: connections[actor] = try connect(actor)
            case 3..<5: daemon.clock.advance(milliseconds: 20_000)
            default: try request(actor)
            }
        }
        for event in daemon.journal where event.message.contains("sekret") { leaks.append("journal: \(event.message)") }
    }

    private mutating func request(_ actor: Int) throws {
        var (method, apps, parameters) = draw(for: actor)
        // What is named by its id is where that is.
        if let known = ["offer", "credential"].compactMap({ parameters[$0] as? String }).compactMap({ treasures[$0] })
            .first
        {
            apps = known.apps
        }
        let line = try JSONSerialization.data(
            withJSONObject: ["jsonrpc": "2.0", "id": 1, "method": method.rawValue, "params": parameters])
        for answer in try connections[actor].exchange(String(decoding: line, as: UTF8.self)) {
            try learn(answer, of: method, actor, apps)
            try look(at: answer, of: method, actor)
        }
        for other in Self.actors.indices {
            for event in connections[other].received() { try look(at: event, of: .eventSubscribe, other) }
        }
        if method == .vaultLock { try person.call("vault.unlock", Examples.proof) }
    }

    // MARK: - Answers

    /// What an answer tells for the first time is whose request it answers.
    private mutating func learn(_ line: String, of method: Method, _ actor: Int, _ apps: Set<String>) throws {
        for match in line.matches(of: #/"((?:off|crd|otc|itm)_[0-9a-f]{32})"/#) {
            let id = String(match.1)
            ids.append(id)
            if treasures[id] == nil { treasures[id] = Treasure(owner: actor, apps: apps) }
            // What is offered is a secret from the moment on at which it was drawn.
            guard method == .autofillSuggest, id.hasPrefix("off_") else { continue }
            let fill = try person.call("autofill.fill", ["offer": id, "proof": Examples.proof])
            if let password = fill.text("password"), treasures[password] == nil {
                treasures[password] = Treasure(owner: actor, apps: apps)
            }
        }
        if ids.count > 64 { ids.removeFirst(ids.count - 64) }
    }

    private mutating func look(at line: String, of method: Method, _ actor: Int) throws {
        let answer = try JSONSerialization.jsonObject(with: Data(line.utf8))
        for text in Self.texts(in: answer) {
            var found = text.matches(of: #/sekret[0-9]{5}/#).map { String($0.0) }
            if treasures[text] != nil, found != [text] { found.append(text) }
            for treasure in found { judge(treasure, method, actor) }
        }
    }

    private mutating func judge(_ text: String, _ method: Method, _ actor: Int) {
        guard let treasure = treasures[text] else { return leaks.append("\(method) gave \(text), which nobody wrote") }
        let isID = text.contains("_")
        if treasure.owner == actor {
            if !isID { own.insert(method) }
        } else if treasure.apps.contains(Self.actors[actor].app), isAsked || isID && !text.hasPrefix("off_") {
            // The id of a credential is no secret among the apps of its domain: events name it.
            if !isID { shared.insert(method) }
        } else {
            leaks.append("\(method) gave \(text) of program \(treasure.owner) to program \(actor)")
        }
    }

    /// All texts in an answer, and what those in base64 or in PHC form hold.
    private static func texts(in value: Any) -> [String] {
        switch value {
        case let text as String:
            [text]
                + text.split(separator: "$").compactMap { part in
                    let padded = part + String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
                    return Data(base64Encoded: String(padded)).map { String(decoding: $0, as: UTF8.self) }
                }
        case let list as [Any]: list.flatMap(texts)
        case let object as [String: Any]: object.flatMap { [$0.key] + texts(in: $0.value) }
        default: []
        }
    }
}
