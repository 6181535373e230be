// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import AutofillService
package import ConfigurationFiles
package import CredentialStorage
package import Credentials
import Foundation
package import PeerIdentity
package import Prompting
import SecretMemory
package import Settings

/// A real broker over a real vault in memory, without a socket: what a test of the service talks to.
package final class TestBroker {
    package let broker: AutofillBroker
    /// The vault behind it, for tests that damage it.
    package let vault: OpenVault
    /// Everything that went to the journal.
    package private(set) var journal: [JournalEvent] = []
    private var writer = JSONWriter()
    /// What came for other connections than the one that asked.
    private var inbox: [ClientID: [String]] = [:]
    private var consent: Consent
    /// What the person was to be asked and nobody has answered yet: with `consent: .person` that is the test's business.
    package private(set) var questions: [ConsentQuestion] = []
    package private(set) var approvals: [Approval] = []
    /// Whether a prompt for the passphrase would show.
    package private(set) var asksPassphrase = false
    /// The time that the broker sees.
    package final class Clock { package var now = Timestamp(milliseconds: 1_795_253_400_000) }
    package let clock = Clock()
    /// What sites answer; nothing can be reached where nobody says otherwise.
    package var sites: (AssociationQuery) -> AssociationReport = { .unavailable($0, "there is no network here") }
    /// Whether sites have not answered yet.
    package var areSitesSilent = false

    package init(
        location: VaultLocation = .memory, isCreated: Bool = true, consent: Consent = .absent,
        settings: DaemonSettings = DaemonSettings(), settingsFiles: SettingsFiles? = nil,
        siteAssociation: DaemonSettings.SiteAssociation = .advisory, registrations: String = TestFiles.registrations,
        siteKnowledge: String? = nil
    ) throws {
        let clock = clock
        self.consent = consent
        var settings = settings
        settings.siteAssociation = siteAssociation
        vault = try OpenVault(at: location, now: clock.now) { opensVault throws(VaultError) in
            try Vault(at: location, program: "tests", opensVault: opensVault)
        }
        broker = AutofillBroker(
            .init(
                version: ProductVersion.text, isEphemeral: location == .memory,
                settings: try settingsFiles?.load() ?? SettingsLayers(user: SettingsDocument(settings)),
                settingsFiles: settingsFiles, settingsPath: settingsFiles?.user ?? "/dev/null",
                registrations: RegistrationDirectories([registrations], userID: getuid()),
                registrationPaths: [registrations],
                consent: consent, sites: SiteKnowledgeFile(siteKnowledge, userID: getuid()), now: { clock.now }),
            vault: vault)
        if isCreated { try broker.createEphemeralVault(keyFile: try TestFiles.keyFile()) }
    }

    /// A connection that has not said hello.
    package func connect(
        _ evidence: PeerEvidence = .plainProcess, contentHash: String? = nil,
        confirm: @escaping () throws(PeerRefusal) -> Void = {}
    )
        -> BrokerConnection
    {
        BrokerConnection(
            self,
            broker.connect(
                Peer(
                    evidence: evidence, confirm: confirm, contentHash: contentHash,
                    hashOfFile: { _ in .unreadable }
                ) { paths in
                    paths.map { RegisteredExecutable(path: $0, identity: nil, isRootOwned: false) }
                }))
    }

    /// One turn of the loop: a line in, lines out.
    func exchange(_ line: [UInt8], _ client: ClientID) throws -> [String] {
        run(line.withUnsafeBytes { broker.receive($0, from: client, into: &writer) })
        let lines = takeLines()
        try endTurn()
        return lines + take(client)
    }

    /// The end of a turn: what leaves without a request goes to its connection, and what sites are asked they answer.
    package func endTurn() throws {
        var isDone = false
        while !isDone {
            while let (client, deferred) = broker.nextDelivery(into: &writer) {
                run(deferred)
                inbox[client, default: []] += takeLines()
            }
            let orders = broker.takeErrandOrders()
            isDone = orders.isEmpty
            for order in orders { run(order) }
        }
        while let chore = broker.takeChore() { broker.conclude(chore: chore.run()) }
        try broker.commitReleases()
        journal += broker.takeJournal()
    }

    private func run(_ order: ErrandOrder) {
        switch order {
        case .start(.consent(let question)):
            guard !consent.canGivePassphrase else { return questions.append(question) }
            broker.conclude(
                question, with: consent.answer(app: question.subject.app, service: question.service.value))
        case .start(.approval(let approval)):
            guard !consent.canGivePassphrase else { return approvals.append(approval) }
            let answer = consent.answer(app: approval.bundleID, service: "*")
            broker.conclude(approval, isApproved: answer.map { $0 == .once || $0 == .allow })
        case .start(.association(let query)): if !areSitesSilent { broker.conclude(query, with: sites(query)) }
        case .start(.unlock): asksPassphrase = true
        case .drop(.unlock): asksPassphrase = false
        case .drop(.consent(let question)): questions.removeAll { $0 == question }
        case .drop(.approval(let approval)): approvals.removeAll { $0 == approval }
        case .start(.contentHash(let path, let version)): broker.conclude(.contentHash(path: path, version))
        case .drop(.association), .drop(.contentHash), .start(.vaultWork), .drop(.vaultWork): break
        }
    }

    /// The person's answer to a prompt.
    package func answer(_ question: ConsentQuestion, _ answer: ConsentAnswer?) throws {
        broker.conclude(question, with: answer)
        try endTurn()
    }

    package func answer(_ approval: Approval, isApproved: Bool?) throws {
        broker.conclude(approval, isApproved: isApproved)
        try endTurn()
    }

    /// Sends a line whose work is not run yet: what waits for it. Until `finish` the work is under way.
    package func begin(_ line: String, _ connection: BrokerConnection) throws -> Deferred? {
        var bytes = Array(line.utf8)
        let deferred = bytes.withUnsafeMutableBytes {
            broker.receive(UnsafeRawBufferPointer($0), from: connection.client, into: &writer)
        }
        try endTurn()
        return deferred
    }

    /// Runs work that was begun; the lines that come back.
    package func finish(_ work: Deferred, _ connection: BrokerConnection) throws -> [String] {
        run(work)
        let lines = takeLines()
        try endTurn()
        return lines + take(connection.client)
    }

    /// Runs one part of work that was begun, and gives the next.
    package func step(_ work: Deferred) -> Deferred? { broker.resume(work, with: work.work.run(), into: &writer) }

    /// Answers work that has run elsewhere; the lines that come back.
    package func resume(_ work: Deferred, with derived: Deferred.Derived) throws -> [String] {
        _ = broker.resume(work, with: derived, into: &writer)
        let lines = takeLines()
        try endTurn()
        return lines
    }

    /// What has to wait, at once, part by part.
    private func run(_ deferred: Deferred?) {
        var next = deferred
        while let deferred = next { next = broker.resume(deferred, with: deferred.work.run(), into: &writer) }
    }

    private func takeLines() -> [String] {
        let lines = writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        writer.reset()
        return lines.split(separator: "\n").map(String.init)
    }

    /// What came for a connection without its asking.
    func take(_ client: ClientID) -> [String] { inbox.removeValue(forKey: client) ?? [] }
}

/// One connection to a `TestBroker`.
package struct BrokerConnection {
    private let owner: TestBroker
    package let client: ClientID

    init(_ owner: TestBroker, _ client: ClientID) {
        self.owner = owner
        self.client = client
    }

    /// Sends a line and gives the lines that come back.
    package func exchange(_ line: String) throws -> [String] { try owner.exchange(Array(line.utf8), client) }

    /// The same for bytes that need not be text.
    package func exchange(bytes line: some Sequence<UInt8>) throws -> [String] {
        try owner.exchange(Array(line), client)
    }

    /// What came without asking since the last look.
    package func received() -> [String] { owner.take(client) }

    /// Calls a method; the answer as Foundation reads it.
    @discardableResult
    package func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> TestAnswer {
        let request: [String: Any] = ["jsonrpc": "2.0", "id": 1, "method": method, "params": parameters]
        let line = try JSONSerialization.data(withJSONObject: request, options: [.withoutEscapingSlashes])
        let lines = try exchange(String(decoding: line, as: UTF8.self))
        return try TestAnswer(lines.first ?? "")
    }

    /// Sends a request whose answer may have to wait; what was answered at once.
    package func send(_ method: String, _ parameters: [String: Any] = [:], id: Int = 1) throws -> [TestAnswer] {
        let request: [String: Any] = ["jsonrpc": "2.0", "id": id, "method": method, "params": parameters]
        let line = try JSONSerialization.data(withJSONObject: request, options: [.withoutEscapingSlashes])
        return try exchange(String(decoding: line, as: UTF8.self)).map(TestAnswer.init)
    }

    /// What was answered since the last look.
    package func answers() throws -> [TestAnswer] { try received().map(TestAnswer.init) }

    /// Says hello as an app.
    @discardableResult
    package func hello(_ bundleID: String = "org.example.Shop") throws -> TestAnswer {
        try call("hello", ["bundleID": bundleID, "protocol": ["min": 1, "max": 1]])
    }
}

/// An answer of the wire.
package struct TestAnswer {
    package let result: [String: Any]?
    package let error: [String: Any]?

    package init(_ line: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        result = object?["result"] as? [String: Any]
        error = object?["error"] as? [String: Any]
    }

    package func text(_ name: String) -> String? { result?[name] as? String }

    /// The codes of the reasons of a refusal.
    package var reasons: [String] { members("reason") }
    package var fixes: [String] { members("fix") }
    package var events: [String] { members("event") }
    package var retryAfter: Int? { list.compactMap { $0["retryAfterMilliseconds"] as? Int }.first }

    private var list: [[String: Any]] {
        (error?["data"] as? [String: Any])?["reasons"] as? [[String: Any]] ?? []
    }

    private func members(_ name: String) -> [String] { list.compactMap { $0[name] as? String } }

    /// The kind of a malformed message.
    package var problem: String? { (error?["data"] as? [String: Any])?["problem"] as? String }

    /// What `autofill.suggest` withheld: type → codes.
    package var withheld: [String: [String]] {
        let list = result?["withheld"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: list.map { entry in
                (
                    entry["type"] as? String ?? "",
                    (entry["reasons"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
                )
            })
    }

    /// The suggestion of a type.
    package func suggestion(_ type: String) -> [String: Any]? {
        (result?["suggestions"] as? [[String: Any]] ?? []).first { $0["type"] as? String == type }
    }
}
