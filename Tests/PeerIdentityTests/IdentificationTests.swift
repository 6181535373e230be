// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Testing

private let app = "org.example.Shop"
private let shop = ExecutableIdentity(device: 1, inode: 10, size: 100, modified: 5)

/// Evidence of an ordinary process, to be changed in one point by each test.
private func evidence(
    _ place: ExecutableFile.Location = .userOwned, unit: String? = nil, interpreter: String? = nil,
    isAppImage: Bool = false
) -> PeerEvidence {
    let group = unit.map { "0::/user.slice/user-1000.slice/user@1000.service/app.slice/\($0)" }
    let file = ExecutableFile(
        path: "/usr/bin/shop", identity: shop, owner: place == .rootOwned ? 0 : 1000, location: place,
        interpreter: interpreter.flatMap { Interpreter(fileName: $0) }, isAppImage: isAppImage)
    return PeerEvidence(
        process: 42, user: 1000, group: 1000, isPinned: true, startTime: 7, executable: .file(file),
        controlGroup: group.flatMap { ControlGroup(procFile: Array($0.utf8)) }, sandbox: .none,
        mountNamespaceDiffers: false, login: "boot/audit-3")
}

private func registration(
    _ origin: RegistrationEvidence.Origin = .administrator, path: String = "/usr/bin/shop", target: String? = nil,
    _ identity: ExecutableIdentity? = shop, isRootOwned: Bool = true, isScript: Bool = false, isAppImage: Bool = false
) -> RegistrationEvidence {
    RegistrationEvidence(
        origin: origin,
        executables: [
            RegisteredExecutable(
                path: path, target: target, identity: identity, isRootOwned: isRootOwned, isScript: isScript,
                isAppImage: isAppImage)
        ])
}

@Suite struct IdentificationTests {
    @Test("The order of assurances is the one that the documents state")
    func order() {
        #expect(Assurance.allCases.sorted() == [.claimed, .attributed, .installed, .sandboxed])
        #expect(Assurance.allCases.map(\.rawValue) == ["claimed", "attributed", "installed", "sandboxed"])
    }

    @Test("A root-owned executable that a root-owned registration names is installed, and its grant names the path")
    func installed() throws {
        let identified = try evidence(.rootOwned).identification(claiming: app, registration: registration())
        #expect(identified.assurance == .installed)
        #expect(identified.subject?.line() == "path:/usr/bin/shop")
        #expect(
            identified.grounds == [
                "Process 42 of user 1000 connected, identified by the kernel's descriptor of it.",
                "It runs /usr/bin/shop, which root alone can change.",
                "The root-owned registration names it, as /usr/bin/shop.",
            ])
    }

    @Test("A process whose requests another program may make too is not installed, and its grant ends with the login")
    func shared() throws {
        let shared = evidence(.rootOwned).sharingItsRequests
        let identified = try shared.identification(claiming: app, registration: registration())
        #expect(identified.assurance == .claimed && identified.subject == .login("boot/audit-3"))
        #expect(identified.grounds.contains { $0.contains("Another program may make its requests too") })
        // It keeps its name, by which its data are found.
        #expect(try shared.naming(running: nil, startedBy: nil) == .program("/usr/bin/shop"))
        #expect(shared.sharingItsRequests == shared)
    }

    @Test("An upgrade that changed the content of the same file changes nothing")
    func upgraded() throws {
        let newer = ExecutableIdentity(device: 1, inode: 10, size: 120, modified: 9)
        let identified = try evidence(.rootOwned).identification(
            claiming: app, registration: registration(.administrator, newer))
        #expect(identified.assurance == .installed)
    }

    @Test("Each piece that is missing keeps an executable from being installed")
    func notInstalled() throws {
        var elsewhere = evidence(.rootOwned, unit: "app-\(app)-1.scope")
        elsewhere.mountNamespaceDiffers = true
        let contained = try elsewhere.identification(claiming: app, registration: registration())
        #expect(contained.assurance == .attributed && contained.subject == nil)
        var unknown = evidence(.rootOwned)
        unknown.mountNamespaceDiffers = nil
        let cases: [(String, PeerEvidence, RegistrationEvidence?)] = [
            ("no registration", evidence(.rootOwned), nil),
            (
                "a registration without executables", evidence(.rootOwned),
                RegistrationEvidence(origin: .administrator, executables: [])
            ),
            ("the user's registration", evidence(.rootOwned), registration(.user)),
            ("the user's file", evidence(.userOwned), registration()),
            ("a path that others can change", evidence(.rootOwned), registration(isRootOwned: false)),
            ("an interpreter", evidence(.rootOwned, interpreter: "python3.11"), registration()),
            ("an AppImage", evidence(.rootOwned, isAppImage: true), registration()),
            ("a mount namespace that cannot be read", unknown, registration()),
        ]
        for (name, evidence, registration) in cases {
            let identified = try evidence.identification(claiming: app, registration: registration)
            #expect(identified.assurance == .claimed, "\(name)")
        }
    }

    @Test(
        "A unit named after the app attributes, for any owner of the registration",
        arguments: [nil, RegistrationEvidence.Origin.user, .administrator])
    func attributed(origin: RegistrationEvidence.Origin?) throws {
        let peer = evidence(unit: "app-gnome-org.example.Shop-12.scope")
        let identified = try peer.identification(claiming: app, registration: origin.map { registration($0) })
        #expect(identified.assurance == .attributed)
        #expect(
            identified.grounds.contains("Its unit app-gnome-org.example.Shop-12.scope is named after org.example.Shop.")
        )
        #expect(identified.subject == .file("/usr/bin/shop"))
    }

    @Test("A unit named after another app only identifies its starter")
    func startedByAnother() throws {
        let identified = try evidence(unit: "app-org.kde.konsole-12.scope").identification(
            claiming: app, registration: nil)
        #expect(identified.assurance == .claimed)
        #expect(identified.grounds.contains("Its unit is named after org.kde.konsole, which may only have started it."))
    }

    @Test("Canonically equivalent names are different names")
    func equivalence() throws {
        let identified = try evidence(unit: "app-org.example.Shop-1.scope").identification(
            claiming: "org.example.Sho\u{70}\u{301}", registration: nil)
        #expect(identified.assurance == .claimed)
    }

    @Test(
        "An executable that the registration does not name contradicts the claim",
        arguments: [RegistrationEvidence.Origin.administrator, .user])
    func notNamed(origin: RegistrationEvidence.Origin) {
        let other = ExecutableIdentity(device: 1, inode: 11, size: 100, modified: 5)
        let refusal = PeerRefusal.contradiction(.executableNotRegistered(claimed: app, executable: "/usr/bin/shop"))
        for identity in [other, nil] {
            #expect(throws: refusal) {
                try evidence().identification(
                    claiming: app, registration: registration(origin, path: "/opt/shop", identity))
            }
        }
        #expect(throws: refusal, "a native program is registered, and a script claims to be it") {
            try evidence(.rootOwned, interpreter: "python3").identification(
                claiming: app, registration: registration(path: "/opt/shop", other))
        }
    }

    @Test("A script, an AppImage and an upgraded program cannot be compared, and stay claims")
    func cannotCompare() throws {
        let other = ExecutableIdentity(device: 1, inode: 11, size: 100, modified: 5)
        let script = try evidence(.rootOwned, interpreter: "python3").identification(
            claiming: app, registration: registration(path: "/opt/shop", other, isScript: true))
        #expect(script.assurance == .claimed)
        #expect(script.subject?.line() == "login:boot/audit-3")
        let image = try evidence(isAppImage: true).identification(
            claiming: app, registration: registration(path: "/opt/shop", other, isAppImage: true))
        #expect(image.assurance == .claimed)
        #expect(image.subject == .login("boot/audit-3"))
        for place in [ExecutableFile.Location.replaced, .deleted] {
            let upgraded = try evidence(place).identification(
                claiming: app, registration: registration(.administrator, other))
            #expect(upgraded.assurance == .claimed)
            #expect(upgraded.subject == nil)
            // The kernel reports where a registered link led to.
            let linked = try evidence(place).identification(
                claiming: app,
                registration: registration(path: "/usr/bin/link", target: "/usr/bin/shop", other))
            #expect(linked.assurance == .claimed)
        }
    }

    /// attacks.md, a hostile program, 4
    @Test(
        "A process with namespaces of its own, in no recognised sandbox, contradicts itself, whatever it claims to run",
        arguments: [true, false])
    func foreignNamespace(hasMounts: Bool) {
        for place in [ExecutableFile.Location.rootOwned, .userOwned, .elsewhere] {
            var foreign = evidence(place)
            if hasMounts { foreign.mountNamespaceDiffers = true } else { foreign.isApart = true }
            for registration in [nil, registration(), RegistrationEvidence(origin: .user, executables: [])] {
                #expect(throws: PeerRefusal.contradiction(.foreignNamespace(executable: "/usr/bin/shop"))) {
                    try foreign.identification(claiming: app, registration: registration)
                }
            }
        }
    }

    @Test("A confined snap may claim its own desktop ID and no other")
    func snap() throws {
        let unit = "snap.shop.app-01234567-89ab-cdef-0123-456789abcdef.scope"
        var confined = evidence(.elsewhere, unit: unit)
        confined.mountNamespaceDiffers = true
        #expect(try confined.identification(claiming: "shop_app", registration: nil).assurance == .attributed)
        #expect(throws: PeerRefusal.contradiction(.snapOfOther(claimed: app, snap: "shop_app"))) {
            try confined.identification(claiming: app, registration: nil)
        }
        let startedByOne = try evidence(unit: unit).identification(claiming: app, registration: nil)
        #expect(startedByOne.assurance == .claimed)
    }

    @Test("A sandbox whose unit Flatpak named after another app contradicts itself")
    func unitOfOtherFlatpak() {
        var peer = evidence(.elsewhere, unit: "app-flatpak-org.example.Bank-1.scope")
        peer.sandbox = .flatpak(FlatpakInstance(appID: app), .deployed(installation: "system", files: "/f"))
        #expect(throws: PeerRefusal.contradiction(.unitOfOtherFlatpak(sandbox: app, unit: "org.example.Bank"))) {
            try peer.identification(claiming: app, registration: nil)
        }
    }

    /// attacks.md, a sandboxed app: it writes `/.flatpak-info` in a sandbox of its own that has the session's `/usr`.
    @Test("Flatpak's proxy of the bus contradicts itself where no delegate handed it over: it does not connect itself")
    func proxyConnects() throws {
        var proxy = evidence(.rootOwned)
        let built = FlatpakInstance(appID: app, isBuild: true)
        let refusal = PeerRefusal.contradiction(
            .deploymentDiffers(appID: app, why: "Flatpak's proxy of the bus does not connect itself"))
        for instance in [FlatpakInstance(appID: app), FlatpakInstance(appID: app, originalAppPath: "/f"), built] {
            proxy.sandbox = .flatpak(instance, .proxied(installation: "system", files: "/f"))
            proxy.isHandedOver = false
            #expect(throws: refusal) { try proxy.identification(claiming: app, registration: nil) }
            proxy.isHandedOver = true
            let identified = try proxy.identification(claiming: app, registration: nil)
            #expect((identified.assurance == .sandboxed) == (instance == FlatpakInstance(appID: app)))
        }
    }

    @Test("A Flatpak needs no readable executable; anything else does")
    func unreadable() throws {
        var peer = evidence()
        peer.executable = .unreadable(errno: 13)
        #expect(throws: PeerRefusal.unreadable("executable")) {
            try peer.identification(claiming: app, registration: nil)
        }
        peer.sandbox = .unreadable(errno: 13)
        #expect(throws: PeerRefusal.unreadable("root directory")) {
            try peer.identification(claiming: app, registration: nil)
        }
        peer.sandbox = .flatpak(FlatpakInstance(appID: app), .deployed(installation: "system", files: "/f"))
        let identified = try peer.identification(claiming: app, registration: nil)
        #expect(identified.assurance == .sandboxed)
        #expect(identified.subject?.line() == "flatpak:org.example.Shop@system")
    }

    @Test("A Flatpak whose /app is a directory of its starter's choice has only its claim, and is not recognised again")
    func replacedApp() throws {
        var peer = evidence()
        let instance = FlatpakInstance(appID: app, appPath: "/home/a/mine", originalAppPath: "/f")
        peer.sandbox = .flatpak(instance, .deployed(installation: "system", files: "/f"))
        let identified = try peer.identification(claiming: app, registration: nil)
        #expect(identified.assurance == .claimed && identified.subject == nil)
        #expect(
            identified.grounds.last
                == "Its /app is a directory that its starter chose, and not what was deployed in /f.")
    }

    @Test("A user's file is named in a grant by path and content, and not without its hash")
    func contentHash() {
        let subject = GrantSubject.file("/home/a/shop")
        #expect(subject.needsContentHash)
        #expect(subject.line() == nil)
        #expect(subject.line(contentHash: "ab12") == "file:/home/a/shop#ab12")
        #expect(!GrantSubject.path("/usr/bin/shop").needsContentHash)
    }

    @Test("Without a descriptor of the process the grounds state it")
    func notPinned() throws {
        var peer = evidence()
        peer.isPinned = false
        let identified = try peer.identification(claiming: app, registration: nil)
        #expect(identified.grounds.first?.contains("identified by its number alone") == true)
    }
}
