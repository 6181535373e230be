// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "What an idle daemon holds", .blocking, .enabled(if: geteuid() == 0, "only root may read the daemon's mappings"))
struct IdleMemoryTests {
    /// A daemon whose pool has had work: it has inspected a peer, and saved and read an account.
    private func used() throws -> DaemonProcess {
        let daemon = try DaemonProcess(isEphemeral: false)
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        try app.call("admin.vault.create", Examples.newSecret)
        try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "word"])
        #expect(try app.call("credential.get", ["service": Examples.shop, "user": "ann"]).text("password") == "word")
        return daemon
    }

    private func lines(_ file: String, of daemon: DaemonProcess) throws -> [Substring] {
        let handle = try FileHandle(
            forReadingFrom: URL(filePath: "/proc/\(daemon.process.processIdentifier)/\(file)"))
        defer { try? handle.close() }
        return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    }

    @Test("Its threads share one heap")
    func oneHeap() throws {
        let daemon = try used()
        let mappings = try lines("maps", of: daemon).map { line in
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            return (start: bounds[0], end: bounds[1], isReserved: line.contains(" ---p "))
        }
        #expect(mappings.count > 20)
        // A thread's own heap reserves 64 MiB of addresses at once.
        let heaps = zip(mappings, mappings.dropFirst()).filter { first, second in
            first.end == second.start && !first.isReserved && second.isReserved && second.end - first.start == 64 << 20
        }
        #expect(heaps.isEmpty)
    }

    @Test("Of memory for secrets it has locked little more than its secrets need")
    func locked() throws {
        let daemon = try used()
        let line = try #require(try lines("smaps_rollup", of: daemon).first { $0.hasPrefix("Locked:") })
        let kibibytes = try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        #expect((1...256).contains(kibibytes))
    }
}
