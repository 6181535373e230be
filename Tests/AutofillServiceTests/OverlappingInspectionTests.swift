// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import PeerIdentity
import Synchronization
import Testing

@testable import AutofillService
@testable import Support

@Suite("Inspections that overlap")
struct OverlappingInspectionTests {
    private static let app = """
        {"bundleID": "org.example.Shop", "name": "Shop", "executables": ["/usr/bin/shop"],
         "entitlements": {"com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
         "com.apple.developer.authentication-services.autofill-credential-provider": true}}
        """

    @Test("The result of an inspection that began earlier does not replace that of a later one")
    func overlapping() throws {
        let registrations = try TestRegistrations(["org.example.Shop": Self.app])
        let present = ExecutableIdentity(device: 1, inode: 7, size: 100, modified: 5)
        let former = ExecutableIdentity(device: 1, inode: 8, size: 100, modified: 5)
        // What the threads have read, in the order in which they return.
        let results = Mutex([former, present, former])
        let files = FileInspections(
            registered: { paths in
                let identity = results.withLock { $0.removeFirst() }
                return paths.map { RegisteredExecutable(path: $0, identity: identity, isRootOwned: false) }
            },
            contentHash: { _, _ in nil })
        let daemon = try TestService(registrations: registrations.path, files: files)
        var evidence = PeerEvidence.plainProcess
        evidence.executable = .file(
            ExecutableFile(path: "/usr/bin/shop", identity: present, owner: 1000, location: .userOwned))
        let connection = daemon.connect(evidence)
        try connection.greet()
        func isConsistent() throws -> Bool? {
            try daemon.onEngine { engine in engine.sessions.all.values.first?.app?.isConsistent }
        }
        #expect(try isConsistent() == false)
        // The first one reads before the second one, and returns after it.
        daemon.parts.work.holdsInspections = true
        let before = daemon.parts.work.count
        try inspect(daemon)
        let first = try #require(daemon.parts.work.held(after: before))
        try inspect(daemon)
        let second = try #require(daemon.parts.work.held(after: first.number))
        try daemon.finish(second)
        #expect(try isConsistent() == true)
        try daemon.finish(first)
        #expect(try isConsistent() == true)
    }

    private func inspect(_ daemon: TestService) throws {
        try daemon.begin { engine in
            guard let session = engine.sessions.all.values.first else { return }
            try? await engine.stores.apps.identifyAgain(session)
        }
    }
}
