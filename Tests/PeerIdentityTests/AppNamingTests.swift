// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Testing

@Suite("The name of an app without a registration")
struct AppNamingTests {
    private func program(_ path: String, place: ExecutableFile.Location = .rootOwned, isAppImage: Bool = false)
        -> PeerEvidence
    {
        let name = String(path.split(separator: "/").last ?? "")
        return PeerEvidence(
            process: 7, user: 1000, group: 1000, isPinned: true, startTime: 1,
            executable: .file(
                ExecutableFile(
                    path: path, identity: ExecutableIdentity(device: 1, inode: 7, size: 1, modified: 1), owner: 0,
                    location: place, interpreter: Interpreter(fileName: name), isAppImage: isAppImage)),
            controlGroup: nil, sandbox: .none, mountNamespaceDiffers: false, login: "boot/session")
    }

    private func inUnit(_ unit: String, _ evidence: PeerEvidence) -> PeerEvidence {
        var evidence = evidence
        let path = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/\(unit)\n"
        evidence.controlGroup = ControlGroup(procFile: Array(path.utf8))
        return evidence
    }

    private func naming(
        _ evidence: PeerEvidence, running script: String? = nil, startedBy starter: Starter? = nil
    ) throws -> AppNaming {
        try evidence.naming(running: script.map { Script(path: $0, hash: "5a") }, startedBy: starter)
    }

    private func starter(_ path: String, running script: String? = nil) -> Starter {
        Starter(evidence: program(path), script: script.map { Script(path: $0, hash: "5a") })
    }

    @Test("A program of one purpose is named after its path, in any unit and with any starter")
    func programs() throws {
        let shop = inUnit("app-org.example.Other-1.scope", program("/usr/bin/shop"))
        #expect(try naming(shop, startedBy: starter("/usr/bin/bash")) == .program("/usr/bin/shop"))
        #expect(!shop.isCarrier(running: nil))
    }

    @Test(
        "An interpreter is named after its script; without one after its starter from a shell, else after its unit")
    func interpreters() throws {
        let python = program("/usr/bin/python3.11")
        let bash = starter("/usr/bin/bash")
        #expect(try naming(python, running: "/home/a/b.py", startedBy: bash) == .script("/home/a/b.py"))
        #expect(try naming(python, startedBy: bash) == .program("/usr/bin/bash"))
        #expect(
            try naming(python, startedBy: starter("/usr/bin/bash", running: "/home/a/b.sh")) == .script("/home/a/b.sh"))
        let java = inUnit("app-gnome-org.example.Ide-12.scope", program("/usr/bin/java"))
        #expect(try naming(java, startedBy: starter("/usr/bin/gnome\u{2D}shell")) == .unit("org.example.Ide"))
        #expect(try naming(java, startedBy: bash) == .program("/usr/bin/bash"))
        #expect(try naming(python, startedBy: starter("/usr/lib/systemd/systemd")) == .program("/usr/bin/python3.11"))
        #expect(try naming(python) == .program("/usr/bin/python3.11"))
        #expect(python.isCarrier(running: nil) && !python.isCarrier(running: Script(path: "/a", hash: "")))
    }

    @Test(
        "A tool that sends messages for others is named after its starter, whatever unit that runs in",
        arguments: [
            "secret-tool", "busctl", "gdbus", "dbus-send", "qdbus", "qdbus-qt5", "kwallet-query", "xdg-dbus-proxy",
            "flatpak-dbus-proxy", "systemd-stdio-bridge", "systemd-socket-proxyd",
        ])
    func carriers(name: String) throws {
        let tool = inUnit("app-org.example.Terminal-1.scope", program("/usr/bin/\(name)"))
        #expect(try naming(tool, startedBy: starter("/usr/bin/mailer")) == .program("/usr/bin/mailer"))
        #expect(try naming(tool) == .unit("org.example.Terminal"))
        // It identifies no app: a grant to it ends with the login.
        let identified = try tool.identification(claiming: "program.mailer.00", registration: nil, isNamed: true)
        #expect(identified.subject == .login("boot/session") && identified.assurance == .claimed)
    }

    @Test(
        "A starter that starts every program distinguishes nothing that it starts",
        arguments: [
            "lib/systemd/systemd", "sbin/init", "bin/bwrap", "bin/unshare", "bin/nsenter", "bin/firejail", "bin/podman",
            "bin/conmon", "bin/crun", "bin/runc",
        ])
    func generalStarters(name: String) throws {
        let general = starter("/usr/\(name)")
        let proxy = program("/usr/bin/xdg-dbus-proxy")
        #expect(general.line == nil && proxy.ownLine(running: nil, startedBy: general) == nil)
        #expect(try naming(proxy, startedBy: general) == .program("/usr/bin/xdg-dbus-proxy"))
        let inTerminal = inUnit("app-org.example.Terminal-1.scope", proxy)
        #expect(try naming(inTerminal, startedBy: general) == .unit("org.example.Terminal"))
        #expect(inTerminal.ownLine(running: nil, startedBy: general) == nil)
        // An interpreter is its unit's app.
        let java = inUnit("app-org.example.Ide@1.service", program("/usr/bin/java"))
        #expect(java.ownLine(running: nil, startedBy: general) == "unit:org.example.Ide")
        #expect(java.ownLine(running: nil, startedBy: nil) == nil)
        #expect(proxy.ownLine(running: nil, startedBy: starter("/usr/bin/mailer")) == "program:/usr/bin/mailer")
    }

    @Test("A shell without a script names no bus proxy that it starts, and what else it starts as before")
    func shells() throws {
        let shell = starter("/usr/bin/dash")
        let proxy = program("/usr/bin/xdg-dbus-proxy")
        #expect(proxy.ownLine(running: nil, startedBy: shell) == nil)
        #expect(try naming(proxy, startedBy: shell) == .program("/usr/bin/xdg-dbus-proxy"))
        let tool = program("/usr/bin/secret-tool")
        #expect(tool.ownLine(running: nil, startedBy: shell) == "program:/usr/bin/dash")
    }

    @Test("A Flatpak is named after its ID, through its proxy of the bus too, and no program inside can choose another")
    func flatpaks() throws {
        var proxy = program("/usr/bin/xdg-dbus-proxy", place: .elsewhere)
        let instance = FlatpakInstance(appID: "org.example.Flat")
        proxy.sandbox = .flatpak(instance, .proxied(installation: "system", files: "/f"))
        (proxy.mountNamespaceDiffers, proxy.isApart, proxy.isHandedOver) = (true, true, true)
        #expect(try naming(proxy) == .flatpak("org.example.Flat"))
        let identified = try proxy.identification(claiming: "org.example.Flat", registration: nil)
        #expect(identified.assurance == .sandboxed)
        #expect(identified.subject == .flatpak(appID: "org.example.Flat", installation: "system"))
        #expect(throws: PeerRefusal.self) { try proxy.identification(claiming: "org.example.Shop", registration: nil) }
        let old = inUnit("app-flatpak-org.example.Flat-12.scope", program("/usr/bin/xdg-dbus-proxy"))
        #expect(try naming(old) == .flatpak("org.example.Flat"))
        proxy.sandbox = .malformed("it names no app ID")
        #expect(throws: PeerRefusal.sandboxMalformed("it names no app ID")) { try naming(proxy) }
    }

    @Test(
        "An AppImage has one name though it is mounted elsewhere each time; a program of other mounts has not that of ours"
    )
    func moving() throws {
        let one = program("/tmp/.mount_NotesAbCdEf/usr/bin/notes", place: .served, isAppImage: true)
        let other = program("/tmp/.mount_NotesGhIjKl/usr/bin/notes", place: .served, isAppImage: true)
        #expect(try naming(one) == naming(other))
        let elsewhere = program("/usr/bin/shop", place: .elsewhere)
        #expect(try naming(elsewhere) != naming(program("/usr/bin/shop")))
        // It has mounts of its own, and could not be recognised again.
        var apart = program("/usr/bin/shop")
        apart.isApart = true
        #expect(try naming(apart) == naming(elsewhere))
        (apart.isApart, apart.mountNamespaceDiffers) = (false, true)
        #expect(try naming(apart) == naming(elsewhere))
        let tool = program("/usr/bin/secret-tool")
        #expect(try naming(tool, startedBy: Starter(evidence: apart, script: nil)) == naming(elsewhere))
        #expect(Starter(evidence: apart, script: nil).line == nil)
        #expect(apart.shownPath == "/usr/bin/shop (in namespaces of its own)")
        #expect(program("/usr/bin/shop").shownPath == "/usr/bin/shop")
        #expect(elsewhere.shownPath == elsewhere.executable.path)
        #expect(try apart.identification(claiming: "program.shop.00", registration: nil, isNamed: true).subject == nil)
        #expect(throws: PeerRefusal.self) { try apart.identification(claiming: "org.example.Shop", registration: nil) }
    }

    @Test("A made name is a bundle ID, and distinguishes two paths with the same last component")
    func names() {
        let hash = { (text: String) in String(text.utf8.count, radix: 16) }
        #expect(AppNaming.program("/usr/bin/my tool.bin").bundleID(hash) == "program.my-tool-bin.14")
        #expect(AppNaming.script("/home/a/x.py").bundleID(hash) == "script.x-py.c")
        #expect(AppNaming.unit("org.example.Ide").bundleID(hash) == "org.example.Ide")
        let long = AppNaming.program("/" + String(repeating: "\u{E9}", count: 200)).bundleID(hash)
        #expect(long.utf8.count < 100 && long.utf8.allSatisfy { $0 < 0x80 })
        #expect(AppNaming.script("/home/a/x.py").title == "x.py")
    }
}
