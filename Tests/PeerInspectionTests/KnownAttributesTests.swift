// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Foundation
import PeerIdentity
import PeerInspection
import TestGround
import Testing

/// What the kernel knows without asking must be what stat tells, or a peer would be refused for nothing.
@Suite(.blocking) struct KnownAttributesTests {
    @Test("On the disk, in memory and on an overlay both are the same, and a peer from there is confirmed")
    func sameAsStat() throws {
        let listener = try TestListener()
        var places = [listener.directory, "/dev/shm"]
        var overlay: Overlay?
        if geteuid() == 0 { overlay = try? Overlay() }
        defer { overlay?.unmount() }
        if let overlay { places.append(overlay.path) }
        for place in places where access(place, W_OK) == 0 {
            let program = "\(place)/autofill-peer-\(getpid())"
            defer { unlink(program) }
            let copy = try ChildProcess("/usr/bin/cp", [TestListener.fixturePath, program], environment: [:])
            try #require(copy.wait() == 0)
            var status = stat()
            try #require(stat(program, &status) == 0)
            let facts = try file(program)
            #expect(facts.device == status.st_dev && facts.inode == status.st_ino, "\(place)")
            #expect(facts.size == UInt64(status.st_size) && facts.owner == status.st_uid, "\(place)")
            #expect(facts.modified == status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec, "\(place)")
            #expect(facts.changed == status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec, "\(place)")
            guard let peer = try? listener.start(program, [listener.socketPath]) else { continue }  // noexec
            let inspected = try KernelPath.pidfd.inspector().inspect(peer.connection)
            #expect(try inspected.file.place == .userOwned)
            #expect(try inspected.file.identity.inode == status.st_ino)
            try inspected.confirm()
            _ = try inspected.content(upTo: 1 << 30)
        }
    }

    private func file(_ path: String) throws -> af_file {
        var (known, asked) = (af_file(), af_file())
        let results = (af_known_at(AT_FDCWD, path, true, &known), af_stat_at(AT_FDCWD, path, true, &asked))
        try #require(results == (0, 0))
        #expect(known.inode == asked.inode && known.modified == asked.modified && known.mount == asked.mount)
        return known
    }
}

/// A writable overlay in memory, mounted until it is taken away.
private struct Overlay {
    private let directory: String
    var path: String { directory + "/merged" }

    init() throws {
        var template = Array("/dev/shm/autofill-overlay-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        directory = String(cString: try #require(mkdtemp(&template)))
        for name in ["lower", "upper", "work", "merged"] { mkdir("\(directory)/\(name)", 0o755) }
        let options = "lowerdir=\(directory)/lower,upperdir=\(directory)/upper,workdir=\(directory)/work"
        guard mount("overlay", "\(directory)/merged", "overlay", 0, options) == 0 else {
            let failure = SystemFailure(number: errno)
            try? FileManager.default.removeItem(atPath: directory)
            throw failure
        }
    }

    func unmount() {
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: directory)
    }
}
