// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import PeerIdentity
import SecretMemory
import Settings
import Support
import Testing

@testable import AutofillService

@Suite("Proof that holds at a terminal")
struct TerminalProofTests {
    private static let typed = Proof.typedPassphrase(TestService.passphrase)
    private static let held = Proof.terminal
    private static let session = TerminalSession(leader: 100, leaderStartTime: 5, terminal: 0x8801)

    private func service(minutes: Int = 5) throws -> TestService {
        var settings = DaemonSettings()
        settings.terminalProofMinutes = minutes
        return try TestService.withPassphrase(settings: settings)
    }

    private func connection(
        _ service: TestService, _ evidence: PeerEvidence = .systemProgram, at session: TerminalSession? = Self.session
    ) throws -> ServiceConnection {
        let connection = service.connect(evidence, terminal: { session })
        try connection.greet(as: "org.autofilld.autofillctl")
        return connection
    }

    private func list(_ connection: ServiceConnection, _ proof: Proof) throws -> [String] {
        try connection.reasons(for: CredentialList(deleted: true, proof: proof))
    }

    @Test("A typed passphrase holds for the next connections of the same program in the same session, and for no other")
    func place() throws {
        let service = try service()
        #expect(try list(try connection(service), Self.held) == ["proof-required"])
        #expect(try list(try connection(service), Self.typed) == [])
        #expect(try list(try connection(service), Self.held) == [])
        for other in [
            TerminalSession(leader: 101, leaderStartTime: 5, terminal: 0x8801),
            TerminalSession(leader: 100, leaderStartTime: 6, terminal: 0x8801),
            TerminalSession(leader: 100, leaderStartTime: 5, terminal: 0x8802),
            nil,
        ] {
            #expect(try list(try connection(service, at: other), Self.held) == ["proof-required"])
        }
        #expect(try list(try connection(service, .systemProgram(inode: 10)), Self.held) == ["proof-required"])
        #expect(try list(try connection(service), Self.held) == [])
    }

    /// attacks.md, a hostile program, 3
    @Test("A request that may be older than the inspection of its sender has no proof from the terminal")
    func early() throws {
        let service = try service()
        #expect(try list(try connection(service), Self.typed) == [])
        let connection = try connection(service)
        let (sent, line) = connection.prepare(CredentialList(deleted: true, proof: Self.held))
        try service.onEngine { [client = connection.client] engine in
            _ = line.withUnsafeBytes { engine.receive($0, from: client, isEarly: true) }
        }
        #expect(try sent.reasons() == ["peer-changed"])
        #expect(try list(connection, Self.held) == [])
    }

    @Test("A passphrase holds only where the request states that it was typed, and a wrong one nowhere")
    func asked() throws {
        let service = try service()
        #expect(try list(try connection(service), .passphrase(TestService.passphrase)) == [])
        #expect(try list(try connection(service), Self.held) == ["proof-required"])
        #expect(
            try list(try connection(service), .typedPassphrase(SecretBytes(utf8: "wrong horse"))) == ["proof-wrong"])
        #expect(try list(try connection(service), Self.held) == ["proof-required"])
    }

    @Test(
        "It ends so many minutes after its last use, the machine's sleep included, and status reports how long it holds"
    )
    func time() throws {
        let service = try service(minutes: 2)
        let connection = try connection(service)
        func left() throws -> Int? { try connection.answer(to: Status()).daemon?.terminalProofSeconds }
        #expect(try left() == nil)
        #expect(try list(connection, Self.typed) == [])
        for _ in 0..<3 {
            #expect(try left() == 120)
            service.clock.advance(milliseconds: 119_000)
            #expect(try left() == 1)
            #expect(try list(connection, Self.held) == [])
        }
        service.clock.advance(milliseconds: 120_000)
        #expect(try list(connection, Self.held) == ["proof-required"])
        #expect(try left() == nil)
    }

    @Test("It ends when the terminal is locked, when the vault is, and when other secrets open the vault")
    func ends() throws {
        let service = try service()
        let (connection, elsewhere) = (try connection(service), try connection(service, at: nil))
        #expect(try list(connection, Self.typed) == [])
        #expect(try !elsewhere.answer(to: TerminalLock()).changed)
        #expect(try list(connection, Self.held) == [])
        let other = try self.connection(service, .systemProgram(inode: 10))
        #expect(try other.answer(to: TerminalLock()).changed)
        #expect(try list(connection, Self.held) == ["proof-required"])

        #expect(try list(connection, Self.typed) == [])
        try connection.answer(to: VaultLock())
        #expect(try list(connection, Self.held) == ["vault-locked"])
        try connection.answer(to: VaultUnlock(proof: .test))
        #expect(try list(connection, Self.held) == ["proof-required"])

        #expect(try list(connection, Self.typed) == [])
        try connection.answer(to: SlotRemove(slot: 2, proof: .test))
        #expect(try list(connection, Self.held) == ["proof-required"])
    }

    @Test("A passphrase that was typed to unlock the vault holds too")
    func unlocking() throws {
        let service = try service()
        let connection = try connection(service)
        try connection.answer(to: VaultLock())
        try connection.answer(to: VaultUnlock(proof: Self.typed))
        #expect(try list(connection, Self.held) == [])
    }

    @Test("With 0 in the settings nothing holds")
    func off() throws {
        let service = try service(minutes: 0)
        #expect(try list(try connection(service), Self.typed) == [])
        #expect(try list(try connection(service), Self.held) == ["proof-required"])
    }

    @Test("What opens the vault is changed with the secret itself only")
    func secretItself() throws {
        let service = try service()
        let connection = try connection(service)
        #expect(try list(connection, Self.typed) == [])
        try connection.answer(to: SlotList(proof: Self.held))
        let calls: [any MethodCall] = [
            SlotAdd(secret: .recoveryKey, proof: Self.held), SlotRemove(slot: 1, proof: Self.held),
            SlotChange(slot: 1, secret: .recoveryKey, proof: Self.held),
            VaultRekey(secrets: [.passphrase(SecretBytes(utf8: "another horse"))], proof: Self.held),
            PrompterAttach(terminal: "/dev/pts/3", type: "xterm", proof: Self.held),
            ExportBegin(proof: Self.held), SyncInvite(proof: Self.held),
            SyncStart(location: .folder("/f"), name: "desktop", proof: Self.held),
            SyncJoin(
                location: .folder("/f"), code: SecretBytes(utf8: "qqqq"), name: "laptop", proof: Self.held),
            SyncRemove(device: String(repeating: "0", count: 32), proof: Self.held),
            VaultRestore(path: "/b", secret: .test, proof: Self.held),
        ]
        for call in calls { #expect(try connection.reasons(for: call) == ["proof-required"], "\(call)") }
        #expect(try list(connection, Self.held) == [])
    }

    @Test("For what runs others' programs, and for a program whose file cannot be recognised again, nothing holds")
    func anybody() throws {
        let service = try service()
        var served = PeerEvidence.systemProgram
        var sandboxed = PeerEvidence.systemProgram
        if case .file(let file) = served.executable {
            served.executable = .file(
                ExecutableFile(path: file.path, identity: file.identity, owner: 0, location: .served))
        }
        sandboxed.isHandedOver = true
        for evidence in [.interpreter, served, sandboxed] {
            let connection = try connection(service, evidence)
            #expect(try list(connection, Self.typed) == [])
            #expect(try list(connection, Self.held) == ["proof-required"])
        }
    }

    /// attacks.md, a hostile program, 3
    @Test("A program that the daemon cannot inspect uses what holds there only where it connected as the very same")
    func unreadable() throws {
        let service = try service()
        func connection(_ evidence: PeerEvidence, _ refusal: PeerRefusal) throws -> ServiceConnection {
            let connection = service.connect(
                evidence, terminal: { Self.session }, confirm: { () throws(PeerRefusal) in throw refusal })
            try connection.greet(as: "org.autofilld.autofillctl")
            return connection
        }
        let hidden = PeerRefusal.unreadable("executable")
        // The command protects its memory once it has sent hello.
        #expect(try list(try connection(.systemProgram, hidden), Self.typed) == [])
        #expect(try list(try connection(.systemProgram, hidden), Self.held) == [])
        // Another program, one that became another, and one that was never seen.
        #expect(try list(try connection(.systemProgram(inode: 10), hidden), Self.held) == ["proof-required"])
        #expect(try list(try connection(.systemProgram, .executableChanged), Self.held) == ["peer-changed"])
        var unseen = PeerEvidence.systemProgram
        unseen.executable = .unreadable(errno: 13)
        for proof in [Self.held, Self.typed] {
            #expect(try list(try connection(unseen, hidden), proof) == ["identity-mismatch"])
        }
        // As an app it is no command.
        let app = service.connect(
            .systemProgram, terminal: { Self.session }, confirm: { () throws(PeerRefusal) in throw hidden })
        try app.greet()
        #expect(try list(app, Self.held) == ["identity-mismatch"])
    }

    @Test("When there are more terminals than are remembered, the one that was used least lately ends")
    func many() {
        let proofs = TerminalProofs()
        let program = ContentVersion(
            identity: ExecutableIdentity(device: 1, inode: 9, size: 100, modified: 5), changed: 0)
        func place(_ number: Int) -> TerminalProofs.Terminal {
            let session = TerminalSession(leader: Int32(number), leaderStartTime: 1, terminal: 0x8803)
            return TerminalProofs.Terminal(session: session, program: program)
        }
        func isHeld(_ number: Int) -> Bool {
            let peer = Peer(
                evidence: .systemProgram, confirm: {}, contentHash: nil, terminal: { place(number).session })
            return proofs.secondsLeft(for: peer, minutes: 5, at: 1000) != nil
        }
        for number in 1...Limits.terminalProofs { proofs.hold(place(number), at: Int64(number)) }
        proofs.hold(place(1), at: 500)
        proofs.hold(place(0), at: 501)
        #expect(isHeld(0) && isHeld(1) && !isHeld(2) && isHeld(3))
    }
}
