// SPDX-License-Identifier: Apache-2.0
import Foundation
import PathInspection
import TestGround
import Testing

@Suite("The mount of a file") struct MountTests {
    @Test("Its server is unknown where it is beyond the first MiB of the list, unless all of that is read")
    func server() throws {
        // No device has its files, so the list decides.
        let file = try Descriptor.open("/proc", Descriptor.locate | O_DIRECTORY)
        let facts = try String(contentsOfFile: "/proc/self/fdinfo/\(file.number)", encoding: .utf8)
        let number = try #require(facts.split(separator: "\n").first { $0.hasPrefix("mnt_id:") }?.dropFirst(7))
        let mount = number.trimmingCharacters(in: .whitespaces)
        let directory = try TemporaryDirectory()
        let path = "/" + String(repeating: "a", count: 4000)
        let others = (1_000_000..<1_000_300).map { "\($0) 1 0:50 / \(path) rw - tmpfs none rw\n" }.joined()
        let process = try Descriptor.open(directory.path, Descriptor.locate | O_DIRECTORY)
        let (_, own) = try file.inspect(askingServer: false)
        for (type, server) in [("proc", Mount.Server.system), ("fuse.notes", .program)] {
            let line = "\(mount) 1 0:5 / /proc rw - \(type) none rw\n"
            try (others + line).write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
            #expect(own.server(of: file, seenBy: process, readsAll: false) == .unknown)
            #expect(own.server(of: file, seenBy: process, readsAll: true) == server)
            #expect(!own.isForeign(to: process))
            try (line + others).write(toFile: directory.path + "/mountinfo", atomically: false, encoding: .utf8)
            #expect(own.server(of: file, seenBy: process, readsAll: false) == server)
        }
    }
}
