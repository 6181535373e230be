// SPDX-License-Identifier: Apache-2.0
import Foundation
import Prompting
import TestGround
import Testing

private let isInBox = ProcessInfo.processInfo.environment["AUTOFILL_SESSION_CHILD"] != nil
private let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

/// Whether the box's user can run it.
private func isReadableByOthers(_ program: String) -> Bool {
    var path = program
    while path.count > 1 {
        let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        guard let mode, mode & 0o005 == 0o005 else { return false }
        path = URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
    return !path.isEmpty
}

private func display(_ own: [String: String], manager: String = "/usr/bin/systemctl") throws -> String {
    let stage = try Stage()
    let asking = stage.start { stage in
        let session = SessionEnvironment(on: stage.loop, pool: stage.pool, manager: manager)
        return await session.current(over: own)["DISPLAY"] ?? "none"
    }
    return try stage.word(asking)
}

@Suite("The session that prompts show in", .blocking)
struct SessionEnvironmentTests {
    @Test(
        "The display is that of the user's manager, whichever program set it",
        .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"),
        .enabled(if: isReadableByOthers(program), "the test program lies where other users cannot read it"))
    func inBox() throws {
        let box = Process()
        box.executableURL = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "box")
        box.arguments = [
            "--chdir", "/", "--env", "AUTOFILL_SESSION_CHILD=1", "--", program, "--testing-library", "swift-testing",
            "--filter", "SessionEnvironmentChild",
        ]
        box.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        let output = Pipe()
        box.standardOutput = output
        box.standardError = output
        try box.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        box.waitUntilExit()
        #expect(box.terminationStatus == 0, "\(String(decoding: printed, as: UTF8.self))")
    }

    @Test("Without a manager the process's own variables count")
    func noManager() throws {
        #expect(try display(["DISPLAY": ":7", "HOME": "/h"]) == ":7")
        #expect(try display(["DISPLAY": ":8", "XDG_RUNTIME_DIR": "/nowhere"]) == ":8")
    }

    @Test("What follows a variable of whatever length is read too", arguments: [4095, 4096, 4097, 8192, 100_000])
    func longVariable(length: Int) throws {
        let manager = try TestPrompter(
            "", greeting: "head -c \(length) /dev/zero | tr '\\0' a; echo; echo DISPLAY=:9; exit 0")
        #expect(try display(["DISPLAY": ":8", "XDG_RUNTIME_DIR": "/nowhere"], manager: manager.path) == ":9")
    }

    @Test("A prompter reads the display each time, and prompts on that")
    func eachPrompt() throws {
        let test = try TestPrompter("")
        let stage = try Stage()
        let own = ["DISPLAY": ":8", "XDG_RUNTIME_DIR": "/nowhere"]
        #expect(try stage.word(stage.ask(.question, by: test.path, over: own)) == "confirmed")
        #expect(test.lines.contains("OPTION display=:8"))
        #expect(try stage.word(stage.ask(.question, by: test.path, over: ["HOME": "/"])) == "unavailable")
    }
}

/// What runs in the box.
@Suite(.blocking, .enabled(if: isInBox, "runs within another test"))
struct SessionEnvironmentChild {
    @Test("A display that a program of the user has set is the one of the next prompt")
    func changedDisplay() throws {
        let own = ProcessInfo.processInfo.environment.filter { $0.key != "DISPLAY" }
        #expect(try display(own) == "none")
        let hostile = Process()
        hostile.executableURL = URL(filePath: "/usr/bin/systemctl")
        hostile.arguments = ["--user", "set-environment", "DISPLAY=:66"]
        try hostile.run()
        hostile.waitUntilExit()
        #expect(hostile.terminationStatus == 0)
        #expect(try display(own) == ":66")
    }
}
