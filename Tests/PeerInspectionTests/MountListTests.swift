// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Foundation
import PeerIdentity
import TestGround
import Testing

@testable import PeerInspection

/// A list as the kernel prints it for a process, in place of that process's `/proc/PID`.
@Suite("The list of a process's mounts") struct MountListTests {
    private struct Found: Equatable {
        let served: Int32
        let isForeign: Bool
    }

    private func find(_ mount: UInt64, in directory: String, whole: Bool = false) throws -> Found {
        let process = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(process >= 0)
        defer { close(process) }
        var file = af_file()
        file.mount = mount
        let served = af_is_fuse(process, &file, process, whole)
        return Found(served: served, isForeign: af_mount_is_foreign(&file, process, whole))
    }

    private func line(_ mount: Int, _ type: String, at path: String = "/mnt") -> String {
        "\(mount) 1 0:50 / \(path) rw,nosuid shared:1 - \(type) none rw\n"
    }

    /// More than 1 MiB.
    private var many: String {
        let path = "/" + String(repeating: "a", count: 4000)
        return (100..<400).map { line($0, "tmpfs", at: path) }.joined()
    }

    @Test("A mount beyond the first MiB of a sandbox's is not searched for: it is unknown, and none of the process's")
    func long() throws {
        let directory = try TemporaryDirectory()
        let list = line(1, "fuse.sshfs") + line(2, "tmpfs") + many + line(3, "tmpfs")
        try list.write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
        #expect(try find(1, in: directory.path) == Found(served: 1, isForeign: false))
        #expect(try find(2, in: directory.path) == Found(served: 0, isForeign: false))
        #expect(try find(200, in: directory.path) == Found(served: 0, isForeign: false))
        #expect(try find(3, in: directory.path) == Found(served: -E2BIG, isForeign: true))
        #expect(try find(4, in: directory.path) == Found(served: -E2BIG, isForeign: true))
    }

    @Test("All mounts of a process that has the session's are searched")
    func whole() throws {
        let directory = try TemporaryDirectory()
        let list = many + line(3, "tmpfs") + line(4, "fuse.notes")
        try list.write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
        #expect(try find(3, in: directory.path, whole: true) == Found(served: 0, isForeign: false))
        #expect(try find(4, in: directory.path, whole: true) == Found(served: 1, isForeign: false))
        #expect(try find(5, in: directory.path, whole: true) == Found(served: -ENOENT, isForeign: true))
    }

    @Test("A sandbox whose root's mount is beyond the first MiB of its own is not determined; with the session's it is")
    func root() throws {
        let directory = try TemporaryDirectory()
        let proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(proc >= 0)
        defer { close(proc) }
        var file = af_file()
        try #require(af_stat(proc, &file) == 0)
        try #require(file.mount != 0, "needs Linux 5.8")
        try (many + line(Int(file.mount), "proc"))
            .write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/root", withDestinationPath: "/proc")
        let process = try ProcessDirectory(at: directory.path)
        func sandbox(hasSameMounts: Bool) -> SandboxEvidence {
            process.sandbox(
                in: process.root(), hasSameMounts: hasSameMounts, installations: FlatpakInstallations(user: nil))
        }
        #expect(sandbox(hasSameMounts: false) == .unreadable(errno: EREMOTE))
        #expect(sandbox(hasSameMounts: true) == .none)
    }

    @Test("A mount that is not in it is none of the process's")
    func short() throws {
        let directory = try TemporaryDirectory()
        try line(1, "fuse").write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
        #expect(try find(1, in: directory.path) == Found(served: 1, isForeign: false))
        #expect(try find(2, in: directory.path) == Found(served: -ENOENT, isForeign: true))
    }
}
