// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import PeerIdentity
import PeerInspection
import Support
import Testing

@testable import AutofillServer

@Suite("What user-owned programs hold")
struct ContentHashTests {
    private let folder: String
    private let inspector = PeerInspector.ofThisProcess(environment: [:])

    init() throws { folder = try TestFiles.folder() }

    /// A file of so many bytes of nothing, most of which are on no disk.
    private func file(_ name: String, length: Int = 4096) throws -> (path: String, version: ContentVersion) {
        let path = folder + "/" + name
        try #require(FileManager.default.createFile(atPath: path, contents: Data(name.utf8)))
        try #require(truncate(path, off_t(length)) == 0)
        return (path, try #require(inspector.registered([path]).first?.version))
    }

    private func read(_ path: String, as version: ContentVersion, _ hashes: ContentHashes) async {
        await withCheckedContinuation { continuation in
            hashes.read(path, version, by: inspector) { continuation.resume() }
        }
    }

    private func isKnown(_ version: ContentVersion, _ hashes: ContentHashes) -> Bool? {
        switch hashes.ofFile(version) {
        case .known: true
        case .unreadable: false
        case .unread: nil
        }
    }

    @Test("A program over the limit is not read, and nobody waits for it again")
    func tooLong() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let hashes = ContentHashes()
        let (small, large) = (try file("small"), try file("large", length: Limits.programBytes + 1))
        for file in [small, large] { await read(file.path, as: file.version, hashes) }
        #expect(isKnown(small.version, hashes) == true)
        #expect(isKnown(large.version, hashes) == false)
    }

    @Test("What was read, or could not be, when its turn comes is not read again")
    func once() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let hashes = ContentHashes()
        let (one, other) = (try file("one"), try file("other"))
        await read(one.path, as: one.version, hashes)
        await read(other.path, as: one.version, hashes)
        #expect(isKnown(one.version, hashes) == true && isKnown(other.version, hashes) == nil)
        await read(folder + "/absent", as: other.version, hashes)
        await read(other.path, as: other.version, hashes)
        #expect(isKnown(other.version, hashes) == false)
    }

    @Test("Only a program is waited for that a grant would name by its content, and one in a sandbox is not")
    func needed() async throws {
        let hashes = ContentHashes()
        let plain = PeerEvidence.plainProcess
        #expect(hashes.needsReading(plain))
        var peer = plain
        peer.mountNamespaceDiffers = true
        #expect(!hashes.needsReading(peer))
        peer.mountNamespaceDiffers = nil
        #expect(!hashes.needsReading(peer))
        peer = plain
        peer.sandbox = .flatpak(
            FlatpakInstance(appID: "org.example.Shop"), .deployed(installation: "user", files: "/f"))
        #expect(!hashes.needsReading(peer))
        #expect(!hashes.needsReading(.systemProgram) && !hashes.needsReading(.interpreter))
        guard case .file(let file) = plain.executable else { return }
        await read("/nonexistent", as: file.version, hashes)
        #expect(!hashes.needsReading(plain))
    }
}
