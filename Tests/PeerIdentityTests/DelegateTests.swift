// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Testing

private let front = ExecutableIdentity(device: 1, inode: 20, size: 100, modified: 5)

@Suite struct DelegateTests {
    private func evidence(_ place: ExecutableFile.Location = .rootOwned, path: String = "/usr/libexec/front")
        -> PeerEvidence
    {
        PeerEvidence(
            process: 7, user: 1000, group: 1000, isPinned: true, startTime: 1,
            executable: .file(ExecutableFile(path: path, identity: front, owner: 0, location: place)),
            controlGroup: nil,
            sandbox: .none, mountNamespaceDiffers: false, login: "boot/1")
    }

    private func named(
        _ identity: ExecutableIdentity? = front, path: String = "/usr/libexec/front", isRootOwned: Bool = true
    ) -> RegisteredExecutable {
        RegisteredExecutable(path: path, identity: identity, isRootOwned: isRootOwned)
    }

    private func identification(of evidence: PeerEvidence) throws -> Identification {
        try evidence.identification(
            claiming: "org.example.Front",
            registration: RegistrationEvidence(origin: .administrator, executables: [named()]))
    }

    private func peer(_ assurance: Assurance, _ subject: GrantSubject?) -> Identification {
        Identification(bundleID: "org.example.Shop", assurance: assurance, grounds: ["It runs."], subject: subject)
    }

    private func delegate(path: String = "/usr/libexec/front") throws -> Delegate {
        let front = evidence(path: path)
        return try front.delegate(
            identifiedAs: try identification(of: front),
            among: [DelegateEvidence(name: "secrets", executables: [named()])])
    }

    @Test("An installed program that an administrator names is a delegate")
    func named() throws {
        #expect(try delegate().name == "secrets")
        #expect(try delegate().path == "/usr/libexec/front")
    }

    @Test("Whatever is not installed, not named, or named by a path that others can change is none")
    func notNamed() throws {
        let refusal = PeerRefusal.notADelegate(executable: "/usr/libexec/front")
        let other = ExecutableIdentity(device: 1, inode: 21, size: 100, modified: 5)
        let installed = try identification(of: evidence())
        for declared in [
            [], [DelegateEvidence(name: "a", executables: [])],
            [DelegateEvidence(name: "a", executables: [named(other)])],
            [DelegateEvidence(name: "a", executables: [named(nil)])],
            [DelegateEvidence(name: "a", executables: [named(isRootOwned: false)])],
        ] {
            #expect(throws: refusal) { try evidence().delegate(identifiedAs: installed, among: declared) }
        }
        let all = [DelegateEvidence(name: "a", executables: [named()])]
        for place in [ExecutableFile.Location.userOwned, .served, .replaced] {
            let lesser = evidence(place)
            #expect(throws: refusal, "\(place)") {
                try lesser.delegate(identifiedAs: try identification(of: lesser), among: all)
            }
        }
        var confined = evidence()
        confined.executable = .unreadable(errno: 13)
        #expect(throws: PeerRefusal.notADelegate(executable: nil)) {
            try confined.delegate(identifiedAs: installed, among: all)
        }
    }

    @Test(
        "The assurance is the lower of the two, and the grounds begin with the delegate",
        arguments: [
            (Assurance.sandboxed, Assurance.installed), (.installed, .installed), (.attributed, .attributed),
            (.claimed, .claimed),
        ])
    func lower(own: Assurance, together: Assurance) throws {
        let identified = peer(own, .path("/usr/bin/shop")).spoken(by: try delegate())
        #expect(identified.assurance == together && identified.bundleID == "org.example.Shop")
        #expect(
            identified.grounds == ["/usr/libexec/front speaks for it, an installed delegate (secrets).", "It runs."])
    }

    @Test("A grant names both, in one way only")
    func subject() throws {
        let front = try delegate()
        let path = peer(.installed, .path("/usr/bin/my shop")).spoken(by: front).subject
        #expect(path?.line() == "via:/usr/libexec/front path:/usr/bin/my shop")
        let file = peer(.claimed, .file("/home/a/shop")).spoken(by: front).subject
        #expect(file?.needsContentHash == true && file?.line() == nil)
        #expect(file?.line(contentHash: "ab") == "via:/usr/libexec/front file:/home/a/shop#ab")
        #expect(peer(.claimed, nil).spoken(by: front).subject == nil)
        let spaced = peer(.installed, .path("/c")).spoken(by: try delegate(path: "/a path:/b")).subject
        #expect(spaced?.line() == #"via:/a\x20path:/b path:/c"#)
    }
}
