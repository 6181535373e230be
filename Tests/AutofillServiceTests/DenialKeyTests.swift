// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import PeerIdentity
import Prompting
import Support
import Testing

@testable import AutofillService

@Suite("Whose quotas a program uses, and which programs the user's no applies to")
struct DenialKeyTests {
    private static let app = "org.example.Flat"

    private func peer(_ evidence: PeerEvidence, startedBy starter: Starter? = nil) -> Peer {
        Peer(evidence: evidence, confirm: {}, contentHash: nil, starter: starter)
    }

    private func marked(_ deployment: FlatpakDeployment, isHandedOver: Bool = false) -> PeerEvidence {
        var evidence = PeerEvidence.systemProgram
        evidence.sandbox = .flatpak(FlatpakInstance(appID: Self.app), deployment)
        evidence.isHandedOver = isHandedOver
        return evidence
    }

    /// The same file in a sandbox, in a unit.
    private func apart(_ app: String = "org.example.Shop", inode: UInt64 = 9, start: Int = 7) -> PeerEvidence {
        var evidence = PeerEvidence.systemProgram(inode: inode)
        evidence.isApart = true
        let unit = "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-\(app)-\(start).scope"
        evidence.controlGroup = ControlGroup(procFile: Array("0::\(unit)\n".utf8))
        return evidence
    }

    @Test("Programs in sandboxes that are no deployed Flatpak's have one quota, and no other program's or Flatpak's")
    func sandboxes() {
        let flat = peer(marked(.deployed(installation: "system", files: "/f")))
        let genuine = peer(.systemProgram)
        #expect(flat.quotaKey == "flatpak \(Self.app)" && flat.denialKey == flat.quotaKey)
        let proxied = FlatpakDeployment.proxied(installation: "system", files: "/f")
        #expect(peer(marked(proxied, isHandedOver: true)).quotaKey == flat.quotaKey)
        var unreadable = PeerEvidence.systemProgram
        unreadable.sandbox = .unreadable(errno: 13)
        let others = [
            apart(), apart(inode: 10), apart("org.example.Mail"), unreadable, marked(.differs("not deployed")),
            marked(.served(files: "/f")), marked(proxied),
        ].map { peer($0) }
        #expect(Set(others.map(\.quotaKey)).count == 1)
        for other in others {
            for known in [flat, genuine] {
                #expect(other.quotaKey != known.quotaKey && other.denialKey != known.denialKey)
            }
        }
        // Of another unit, or another file.
        #expect(Set(others.prefix(3).map(\.denialKey)).count == 3)
        #expect(peer(apart()).denialKey == others[0].denialKey)
    }

    @Test("A proxy uses the quota of what started it; a no is for the process where that starts every program")
    func proxies() {
        func proxy(_ process: Int32, startedBy path: String) -> Peer {
            var evidence = PeerEvidence.process(path: "/usr/bin/xdg-dbus-proxy", inode: 12)
            (evidence.process, evidence.isHandedOver) = (process, true)
            evidence.executable = .file(
                ExecutableFile(
                    path: "/usr/bin/xdg-dbus-proxy",
                    identity: ExecutableIdentity(device: 1, inode: 12, size: 100, modified: 5), owner: 0,
                    location: .rootOwned, interpreter: Interpreter(fileName: "xdg-dbus-proxy")))
            return peer(evidence, startedBy: Starter(evidence: .process(path: path, inode: 13), script: nil))
        }
        let mailer = proxy(1, startedBy: "/usr/bin/mailer")
        #expect(mailer.quotaKey != proxy(1, startedBy: "/usr/bin/shop").quotaKey)
        #expect(mailer.quotaKey == proxy(2, startedBy: "/usr/bin/mailer").quotaKey)
        #expect(mailer.denialKey == mailer.quotaKey)
        for path in ["/usr/bin/bwrap", "/usr/lib/systemd/systemd"] {
            #expect(proxy(1, startedBy: path).denialKey != proxy(2, startedBy: path).denialKey)
            #expect(proxy(1, startedBy: path).quotaKey == proxy(2, startedBy: path).quotaKey)
        }
    }

    @Test("A no to unlock of a program in a sandbox is none for another one, nor for the program whose file it runs")
    func declined() throws {
        let daemon = try TestService.withPassphrase(consent: .user, isLocked: true)
        let sandboxed = daemon.connect(apart())
        try sandboxed.greet()
        let sent = try sandboxed.send(VaultUnlock())
        try daemon.givePassphrase(.declined)
        #expect(try sent.reasons() == ["vault-locked"])
        #expect(try sandboxed.reasons(for: VaultUnlock()) == ["vault-locked"])
        let other = daemon.connect(apart("org.example.Mail"))
        try other.greet(as: "org.example.Mail")
        let genuine = daemon.connect(.systemProgram)
        try genuine.greet()
        let waiting = [try other.send(VaultUnlock()), try genuine.send(VaultUnlock())]
        #expect(waiting.allSatisfy { $0.waits })
        try daemon.givePassphrase(.passphrase(TestService.passphrase))
        for sent in waiting { #expect(try sent.answer().changed) }
    }

    @Test("Noes to unlock of three units' sandboxes that run one file are one for a fourth, and none for those outside")
    func declinedUnits() throws {
        let daemon = try TestService.withPassphrase(consent: .user, isLocked: true)
        for start in 1...3 {
            let sandboxed = daemon.connect(apart(start: start))
            try sandboxed.greet()
            let sent = try sandboxed.send(VaultUnlock())
            try daemon.givePassphrase(.declined)
            #expect(try sent.reasons() == ["vault-locked"])
        }
        let fourth = daemon.connect(apart(start: 4))
        try fourth.greet()
        #expect(try fourth.reasons(for: VaultUnlock()) == ["vault-locked"])
        let others = [daemon.connect(apart(inode: 10, start: 5)), daemon.connect(.systemProgram)]
        for other in others { try other.greet() }
        let waiting = try others.map { try $0.send(VaultUnlock()) }
        #expect(waiting.allSatisfy { $0.waits })
        try daemon.givePassphrase(.passphrase(TestService.passphrase))
        for sent in waiting { #expect(try sent.answer().changed) }
    }

    @Test("Only what nothing distinguishes is denied with others of its file, sandboxes apart from those outside")
    func undistinguished() {
        var carrier = PeerEvidence.systemProgram
        carrier.isHandedOver = true
        carrier.executable = .file(
            ExecutableFile(
                path: "/usr/bin/secret-tool",
                identity: ExecutableIdentity(device: 1, inode: 9, size: 100, modified: 5), owner: 0,
                location: .rootOwned,
                interpreter: Interpreter(fileName: "secret-tool")))
        func started(by path: String) -> Peer {
            peer(carrier, startedBy: Starter(evidence: .process(path: path, inode: 13), script: nil))
        }
        #expect(started(by: "/usr/bin/mailer").unlockDenial.program == nil)
        #expect(peer(.systemProgram).unlockDenial.program == nil)
        #expect(peer(marked(.deployed(installation: "system", files: "/f"))).unlockDenial.program == nil)
        let outside = ["/usr/bin/bwrap", "/usr/lib/systemd/systemd"].map { started(by: $0).unlockDenial.program?.file }
        #expect(outside[0] != nil && outside[0] == outside[1])
        let sandboxes = (1...2).map { peer(apart(start: $0)).unlockDenial.program }
        #expect(sandboxes[0]?.file == sandboxes[1]?.file && sandboxes[0]?.process != sandboxes[1]?.process)
        #expect(sandboxes[0]?.file != outside[0])
    }
}
