// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Foundation
import TestGround
import Testing

/// A list as the kernel prints it for a process, in place of that process's `/proc/PID`.
@Suite("The list of a process's mounts") struct MountListTests {
    private struct Found: Equatable {
        let served: Int32
        let isForeign: Bool
    }

    private func find(_ mount: UInt64, in directory: String) throws -> Found {
        let process = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(process >= 0)
        defer { close(process) }
        var file = af_file()
        file.mount = mount
        let served = af_is_fuse(process, &file, process)
        return Found(served: served, isForeign: af_mount_is_foreign(&file, process))
    }

    private func line(_ mount: Int, _ type: String, at path: String = "/mnt") -> String {
        "\(mount) 1 0:50 / \(path) rw,nosuid shared:1 - \(type) none rw\n"
    }

    @Test("A mount beyond the first MiB of it is not searched for: it counts as served, and as none of the process's")
    func long() throws {
        let directory = try TemporaryDirectory()
        let path = "/" + String(repeating: "a", count: 4000)
        let list =
            line(1, "fuse.sshfs") + line(2, "tmpfs") + (100..<400).map { line($0, "tmpfs", at: path) }.joined()
            + line(3, "tmpfs")
        try list.write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
        #expect(try find(1, in: directory.path) == Found(served: 1, isForeign: false))
        #expect(try find(2, in: directory.path) == Found(served: 0, isForeign: false))
        #expect(try find(200, in: directory.path) == Found(served: 0, isForeign: false))
        #expect(try find(3, in: directory.path) == Found(served: -E2BIG, isForeign: true))
        #expect(try find(4, in: directory.path) == Found(served: -E2BIG, isForeign: true))
    }

    @Test("A mount that is not in it is none of the process's")
    func short() throws {
        let directory = try TemporaryDirectory()
        try line(1, "fuse").write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
        #expect(try find(1, in: directory.path) == Found(served: 1, isForeign: false))
        #expect(try find(2, in: directory.path) == Found(served: -ENOENT, isForeign: true))
    }
}
