// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Foundation
import PeerIdentity
import PeerInspection
import TestGround
import Testing

/// The attributes that the kernel has cached must be those of stat, or a peer would be refused without cause.
@Suite(.blocking) struct CachedAttributesTests {
    @Test("On the disk, in memory and on an overlay both are the same, and a peer from there is confirmed")
    func sameAsStat() throws {
        let listener = try TestListener()
        var directories = [listener.directory, "/dev/shm"]
        var overlay: Overlay?
        if geteuid() == 0 { overlay = try? Overlay() }
        defer { overlay?.unmount() }
        if let overlay { directories.append(overlay.path) }
        for directory in directories where access(directory, W_OK) == 0 {
            let program = "\(directory)/autofill-peer-\(getpid())"
            defer { unlink(program) }
            let copy = try ChildProcess("/usr/bin/cp", [TestListener.fixturePath, program], environment: [:])
            try #require(copy.wait() == 0)
            var status = stat()
            try #require(stat(program, &status) == 0)
            let facts = try file(program)
            #expect(facts.device == status.st_dev && facts.inode == status.st_ino, "\(directory)")
            #expect(facts.size == UInt64(status.st_size) && facts.owner == status.st_uid, "\(directory)")
            #expect(facts.modified == status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec, "\(directory)")
            #expect(facts.changed == status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec, "\(directory)")
            guard let peer = try? listener.start(program, [listener.socketPath]) else { continue }  // noexec
            let inspected = try KernelPath.pidfd.inspector().inspect(peer.connection)
            #expect(try inspected.file.location == .userOwned)
            #expect(try inspected.file.identity.inode == status.st_ino)
            try inspected.confirm()
            _ = try inspected.content(upTo: 1 << 30)
        }
    }

    private func file(_ path: String) throws -> af_file {
        var (identified, asked) = (af_file(), af_file())
        let results = (af_stat_cached_at(AT_FDCWD, path, true, &identified), af_stat_at(AT_FDCWD, path, true, &asked))
        try #require(results == (0, 0))
        #expect(
            identified.inode == asked.inode && identified.modified == asked.modified && identified.mount == asked.mount)
        return identified
    }
}

/// A writable overlay in memory, mounted until it is removed.
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
