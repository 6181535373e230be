// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("Slow disks", .blocking)
struct BackgroundSyncTests {
    /// Put before libc with LD_PRELOAD: each sync takes 50 ms longer, and is noted: `l` on the main thread, `t` on another.
    private static let library = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <unistd.h>
        static void note(void) {
            const char *path = getenv("AUTOFILL_SYNCS");
            int file = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
            if (file < 0) return;
            (void)!write(file, gettid() == getpid() ? "l" : "t", 1);
            close(file);
            usleep(50000);
        }
        #define SLOW(name) \\
            int name(int file) { \\
                static int (*next)(int); \\
                if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, #name); \\
                note(); \\
                return next(file); \\
            }
        SLOW(fsync)
        SLOW(fdatasync)
        """

    @Test("After releases their record and the times of last use reach the disk, and the event loop waits for no sync")
    func background() throws {
        let folder = try TemporaryDirectory()
        try folder.write("syncs.c", Self.library)
        try folder.write("syncs", "")
        let (source, library, log) = (folder.path + "/syncs.c", folder.path + "/syncs.so", folder.path + "/syncs")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        func syncs() throws -> (onLoop: Int, aside: Int) {
            let all = try Data(contentsOf: URL(filePath: log))
            return (all.count { $0 == UInt8(ascii: "l") }, all.count { $0 == UInt8(ascii: "t") })
        }

        let daemon = try DaemonProcess(
            isEphemeral: false, environment: ["LD_PRELOAD": library, "AUTOFILL_SYNCS": log])
        let user = try SocketConnection(to: daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        try user.call("admin.vault.create", Examples.newSecret)
        let users = (0..<30).map { "user-\($0)" }
        func call(_ method: String, _ name: String) throws {
            var parameters: [String: Any] = ["service": Examples.shop, "user": name, "proof": Examples.proof]
            if method == "credential.save" { parameters["password"] = "secret" }
            #expect(try user.call(method, parameters).error == nil)
        }
        func wait(until isDone: () throws -> Bool) throws {
            let deadline = Date(timeIntervalSinceNow: 60)
            while try !isDone() {
                try #require(Date() < deadline)
                usleep(50_000)
            }
        }
        for name in users { try call("credential.save", name) }
        // The upkeep after the first seconds has durable commits of its own, for the day's backup: on a slow machine they came
        // between the two counts.
        try wait {
            let answer = try user.call("admin.backup.list", ["proof": Examples.proof])
            let backups = answer.result?["backups"] as? [[String: Any]]
            return backups?.first?["created"] != nil
        }
        let before = try syncs()
        try #require(before.onLoop > users.count, "the library counts")
        for name in users { try call("credential.get", name) }
        try wait { (try? UseTimesTests.usedCredentials(in: daemon.folder)) ?? 0 == users.count }
        let after = try syncs()
        #expect(after.onLoop == before.onLoop && after.aside > before.aside, "\(before) \(after)")
    }
}
