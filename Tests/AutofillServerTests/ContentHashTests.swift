// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Glibc
import PeerIdentity
import PeerInspection
import Support
import Synchronization
import TestGround
import Testing

@testable import AutofillServer

@Suite("What user-owned programs hold", .timeLimit(.minutes(10)))
struct ContentHashTests {
    private let directory: TemporaryDirectory
    private let inspector = PeerInspector.ofThisProcess(environment: [:])

    init() throws { directory = try TemporaryDirectory() }

    // Invariant for `@unchecked`: used on the loop's thread, and between turns.
    private final class Components: @unchecked Sendable {
        let service: TestService
        let hashes: ContentHashes
        var found: [String?] = []

        init(runner: WorkerPool.Runner? = nil) throws {
            service = try TestService(isCreated: false)
            let loop = service.engine.loop
            hashes = ContentHashes(on: loop, pool: WorkerPool(on: loop, runner: runner), longest: 1 << 20)
        }

        var engine: AutofillEngine { service.engine }
        var loop: EventLoop { engine.loop }

        func ask(
            _ version: ContentVersion, _ read: @escaping @Sendable () throws(PeerRefusal) -> ReadContent
        ) {
            engine.assumeIsolated { ask(version, $0, read) }
        }

        private func ask(
            _ version: ContentVersion, _ engine: isolated AutofillEngine,
            _ read: @escaping @Sendable () throws(PeerRefusal) -> ReadContent
        ) {
            Task.immediate {
                _ = engine
                self.found.append(await self.hashes.hash(of: version, read))
            }
        }
    }

    private func file(_ name: String) throws -> (path: String, version: ContentVersion) {
        try directory.write(name, name)
        let path = directory.path + "/" + name
        return (path, try #require(inspector.registered([path]).first?.version))
    }

    private static let tooLarge = PeerRefusal.fault(operation: "reading", errno: EFBIG)

    @Test("What was read, or is too large, is not read again, and a request meanwhile gets the same")
    func once() throws {
        let components = try Components()
        let (one, other) = (try file("one"), try file("other"))
        let reads = Mutex(0)
        for _ in 0..<3 {
            components.ask(one.version) { [inspector] () throws(PeerRefusal) in
                reads.withLock { $0 += 1 }
                guard let content = inspector.content(ofFileAt: one.path, upTo: 100) else { throw .ended }
                return content
            }
        }
        #expect(try components.loop.run { components.found.count == 3 })
        #expect(Set(components.found).count == 1 && components.found[0]?.count == 64)
        components.ask(one.version) { () throws(PeerRefusal) in throw .ended }
        #expect(components.found.count == 4 && components.found[3] == components.found[0], "at once")
        for _ in 0..<2 {
            components.ask(other.version) { () throws(PeerRefusal) in
                reads.withLock { $0 += 1 }
                throw Self.tooLarge
            }
            #expect(try components.loop.run { !components.found[4...].isEmpty })
        }
        #expect(components.found[4...] == [nil, nil])
        #expect(reads.withLock { $0 } == 2)
    }

    @Test("What was not read because its process had ended is read for the next one")
    func ended() throws {
        let components = try Components()
        let one = try file("one")
        components.ask(one.version) { () throws(PeerRefusal) in throw .ended }
        #expect(try components.loop.run { components.found == [nil] })
        ask(one, components)
        #expect(try components.loop.run { components.found.count == 2 })
        #expect(components.found[1]?.count == 64)
    }

    @Test("What does not end in time has no hash until it is back, and is not read a second time meanwhile")
    func late() throws {
        let held = Held()
        let components = try Components(runner: held.take)
        let one = try file("one")
        ask(one, components)
        try components.loop.runUntilIdle()
        #expect(components.found.isEmpty)
        components.service.clock.advance(by: .milliseconds(Limits.hashMilliseconds))
        try components.loop.runUntilIdle()
        #expect(components.found == [nil])
        ask(one, components)
        #expect(components.found == [nil, nil] && held.work.count == 1)
        held.runFirst()
        ask(one, components)
        #expect(held.work.count == 1)
        held.runFirst()
        try components.loop.runUntilIdle()
        #expect(components.found.count == 3 && components.found[2]?.count == 64)
    }

    private func ask(_ file: (path: String, version: ContentVersion), _ components: Components) {
        components.ask(file.version) { [inspector, path = file.path] () throws(PeerRefusal) in
            guard let content = inspector.content(ofFileAt: path, upTo: 100) else { throw .ended }
            return content
        }
    }

    @Test("A program that is used stays while more others are read than are remembered")
    func used() throws {
        let components = try Components()
        let one = try file("one")
        ask(one, components)
        #expect(try components.loop.run { components.found.count == 1 })
        let quarter = Limits.rememberedContents / 4
        for number in 1...5 * quarter {
            let other = ContentVersion(
                identity: ExecutableIdentity(device: 1, inode: UInt64(number), size: 1, modified: 1), changed: 1)
            components.ask(other) { () throws(PeerRefusal) in throw Self.tooLarge }
            #expect(try components.loop.run { components.found.count == number + 1 + (number - 1) / quarter })
            guard number.isMultiple(of: quarter) else { continue }
            let count = components.found.count
            components.ask(one.version) { () throws(PeerRefusal) in throw .ended }
            #expect(try components.loop.run { components.found.count == count + 1 })
            #expect(components.found.last == components.found[0], "it is not read again")
        }
    }

    @Test("Only a program is read that a grant would name by its content, and none in a sandbox")
    func needed() {
        func evidence(_ place: ExecutableFile.Location, _ interpreter: Interpreter? = nil) -> PeerEvidence {
            var peer = PeerEvidence.testProcess
            peer.executable = .file(
                ExecutableFile(
                    path: "/home/user/app", identity: ExecutableIdentity(device: 1, inode: 7, size: 100, modified: 5),
                    owner: 1000, location: place, interpreter: interpreter))
            return peer
        }
        let plain = evidence(.userOwned)
        #expect(ContentHashes.namedContent(of: plain) != nil)
        var peer = plain
        for differs in [true, nil] {
            peer.mountNamespaceDiffers = differs
            #expect(ContentHashes.namedContent(of: peer) == nil)
        }
        peer = plain
        peer.sandbox = .flatpak(
            FlatpakInstance(appID: "org.example.Shop"), .deployed(installation: "user", files: "/f"))
        #expect(ContentHashes.namedContent(of: peer) == nil)
        #expect(ContentHashes.namedContent(of: evidence(.rootOwned)) == nil)
        #expect(ContentHashes.namedContent(of: evidence(.rootOwned, Interpreter(fileName: "python3.11"))) == nil)
    }

    /// attacks.md, a hostile program, 9
    @Test("Of programs that wait to be read the smallest is first, in any order of arrival")
    func smallestFirst() throws {
        let held = Held()
        let components = try Components(runner: held.take)
        let order = Mutex<[UInt64]>([])
        func ask(_ size: UInt64) {
            let version = ContentVersion(
                identity: ExecutableIdentity(device: 1, inode: size, size: size, modified: 1), changed: 1)
            components.ask(version) { () throws(PeerRefusal) in
                order.withLock { $0.append(size) }
                throw .ended
            }
        }
        for copy in 0..<30 { ask((1 << 30) + UInt64(copy)) }
        ask(4096)
        try components.loop.runUntilIdle()
        #expect(held.work.count == 1, "one is read at a time")
        while !held.work.isEmpty {
            held.runFirst()
            try components.loop.runUntilIdle()
        }
        #expect(components.found.count == 31)
        let read = order.withLock { $0 }
        #expect(read.first == (1 << 30) && read[1] == 4096)
        #expect(Array(read.dropFirst(2)) == read.dropFirst(2).sorted())
    }
}
