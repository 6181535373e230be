// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import PeerIdentity
import Prompting
import Support
import TestGround

/// Random requests of several programs. Everything that one of them receives, answers and events, is searched for what
/// the others wrote: each secret and each name is a text that occurs nowhere else.
struct RandomPlay {
    /// One program. One whose statement the evidence contradicts has no app: it sends hello as any.
    struct Actor {
        let app: String?
        let domain: String
        let evidence: PeerEvidence
    }

    /// A secret, a name or an id: who wrote or got it first, and the apps that may have it with the user's consent.
    struct Treasure {
        let owner: Int
        let apps: Set<String>
    }

    /// Two programs of one app; another app, as a program and as a Flatpak; one that receives codes; one that nobody
    /// registered; a script, and an imposter that the same interpreter runs; and one that is not the app that it claims to be.
    static let actors = [
        Actor(app: "org.example.Notes", domain: "notes.example.com", evidence: .process(path: "/home/u/a7", inode: 7)),
        Actor(app: "org.example.Notes", domain: "notes.example.com", evidence: .process(path: "/home/u/a8", inode: 8)),
        Actor(app: "org.example.Tasks", domain: "tasks.example.com", evidence: .process(path: "/home/u/a9", inode: 9)),
        Actor(app: "org.example.Tasks", domain: "tasks.example.com", evidence: .flatpak("org.example.Tasks")),
        Actor(app: "org.example.Post", domain: "tasks.example.com", evidence: .process(path: "/home/u/b", inode: 10)),
        Actor(app: "org.example.Nobody", domain: "none.example.com", evidence: .process(path: "/home/u/c", inode: 11)),
        Actor(app: "org.example.Script", domain: "script.example.com", evidence: .interpreter),
        Actor(app: "org.example.Script", domain: "script.example.com", evidence: .imposter),
        Actor(app: nil, domain: "notes.example.com", evidence: .flatpak("org.example.Other")),
    ]

    /// The domains that apps are registered for, and whose they are.
    static let apps = [
        "notes.example.com": "org.example.Notes", "tasks.example.com": "org.example.Tasks",
        "script.example.com": "org.example.Script",
    ]

    static func apps(of domain: String) -> Set<String> { Set(apps[domain].map { [$0] } ?? []) }

    let daemon: TestService
    let isAsked: Bool
    var random: SeededGenerator
    private var connections: [ServiceConnection] = []
    let user: ServiceConnection
    /// The secrets and names that were written, by their numbers, none of which is given twice.
    var written: [Treasure] = []
    /// What the service made itself: ids, and the strong passwords that were offered.
    var made: [String: Treasure] = [:]
    /// The user names that a program knows of a domain, because it chose them.
    var users: [String: [String]] = [:]
    /// Ids of all kinds that any program received.
    var ids: [String] = []
    var leaks: [String] = []
    /// How many requests may still cost a key derivation.
    var derivations: Int
    /// The methods that gave a program what is its own, and what another program wrote.
    var own: Set<Method> = []
    var shared: Set<Method> = []
    /// How many requests were answered.
    var requests = 0
    /// How many questions about a saved user and one that is not were compared.
    var compared = 0

    init(seed: UInt64, consent: Consent, derivations: Int) throws {
        daemon = try TestService(consent: consent, registrations: isolated.registrations)
        random = SeededGenerator(seed: seed)
        self.derivations = derivations
        if case .absent = consent { isAsked = false } else { isAsked = true }
        user = daemon.connect()
        try user.hello("org.autofilld.autofillctl")
        for actor in Self.actors.indices { connections.append(try connect(actor)) }
    }

    private mutating func connect(_ actor: Int) throws -> ServiceConnection {
        let connection = daemon.connect(Self.actors[actor].evidence)
        let app = Self.actors[actor].app ?? one(Self.actors.compactMap(\.app))
        let hello: [String: Any] = ["bundleID": app, "protocol": ["min": 1, "max": 1]]
        let line = try ServiceConnection.line("hello", hello)
        for answer in try connection.exchange(line) { inspect(answer, to: line, of: .hello, actor) }
        try connection.call("event.subscribe")
        requests += 2
        return connection
    }

    mutating func run(requests most: Int) throws {
        while requests < most {
            let actor = Int.random(in: 0..<Self.actors.count, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<2: connections[actor] = try connect(actor)
            case 2..<4: daemon.clock.advance(milliseconds: 20_000)
            case 4 where !isAsked: try compare(actor)
            default: break
            }
            try request(actor)
        }
        for event in daemon.journal where Self.has("sekret", in: "\(event)") { leaks.append("journal: \(event)") }
    }

    private mutating func request(_ actor: Int) throws {
        var (method, apps, parameters) = draw(for: actor)
        // What is named by its id is where that is.
        let named = ["offer", "credential", "submission"].compactMap { parameters[$0] as? String }
        if let known = named.compactMap({ made[$0] }).first { apps = known.apps }
        let line = try ServiceConnection.line(method.rawValue, parameters)
        requests += 1
        for answer in try connections[actor].exchange(line) {
            try learn(answer, of: method, actor, apps)
            inspect(answer, to: line, of: method, actor)
        }
        for other in Self.actors.indices {
            for event in connections[other].received() { inspect(event, to: "", of: .eventSubscribe, other) }
        }
        if method == .vaultLock { try user.call("vault.unlock", ["proof": Examples.proof]) }
    }

    // MARK: - Equal answers

    /// Asks about a user that another program saved for the actor's own domain, and about one that nobody knows: where nobody
    /// has allowed the program anything, the answers are the same but for the name.
    private mutating func compare(_ actor: Int) throws {
        let domain = Self.actors[actor].domain
        let others = Self.actors.indices.filter { $0 != actor }.flatMap { users["\($0) \(domain)"] ?? [] }
        guard let saved = others.randomElement(using: &random) else { return }
        let (method, parameters) = question(about: domain)
        let answers = try [saved, "nobody" + saved.dropFirst(6)].map { user in
            let line = try ServiceConnection.line(method.rawValue, parameters.merging(["user": user]) { $1 })
            return try connections[actor].exchange(line).map { $0.replacing(user, with: "USER") }
        }
        (compared, requests) = (compared + 1, requests + 2)
        if answers[0] != answers[1] { leaks.append("\(method) reveals a user to program \(actor): \(answers)") }
    }
}

extension PeerEvidence {
    /// An app in a Flatpak.
    fileprivate static func flatpak(_ app: String) -> PeerEvidence {
        var evidence = process(path: "/app/bin/app", inode: 20)
        evidence.sandbox = .flatpak(FlatpakInstance(appID: app), .deployed(installation: "user", files: "/x"))
        return evidence
    }

    /// Another script of the interpreter of `interpreter`.
    fileprivate static var imposter: PeerEvidence {
        var evidence = interpreter
        evidence.process += 100
        evidence.startTime += 100
        return evidence
    }
}
