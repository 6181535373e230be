// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Fixtures/faults.c: in a process that was started with it, the n-th write or sync of this thread fails, or ends the process.
struct FaultLibrary {
    private let arm: @convention(c) (Int, Int32, Int32) -> Void
    private let armReads: @convention(c) (Int, Int32, Int32) -> Void
    private let disarm: @convention(c) () -> Int
    private let fork: @convention(c) () -> Int32
    private let exit: @convention(c) (Int32) -> Void
    private let forget: @convention(c) () -> Void
    private let paths: @convention(c) () -> UnsafePointer<CChar>

    /// nil in a process without it.
    init?() {
        guard let all = dlopen(nil, RTLD_NOW), let arm = dlsym(all, "faults_arm"),
            let armReads = dlsym(all, "faults_arm_reads"),
            let disarm = dlsym(all, "faults_disarm"), let fork = dlsym(all, "faults_fork"),
            let exit = dlsym(all, "faults_exit"), let forget = dlsym(all, "faults_forget"),
            let paths = dlsym(all, "faults_synced")
        else { return nil }
        self.arm = unsafeBitCast(arm, to: (@convention(c) (Int, Int32, Int32) -> Void).self)
        self.armReads = unsafeBitCast(armReads, to: (@convention(c) (Int, Int32, Int32) -> Void).self)
        self.disarm = unsafeBitCast(disarm, to: (@convention(c) () -> Int).self)
        self.fork = unsafeBitCast(fork, to: (@convention(c) () -> Int32).self)
        self.exit = unsafeBitCast(exit, to: (@convention(c) (Int32) -> Void).self)
        self.forget = unsafeBitCast(forget, to: (@convention(c) () -> Void).self)
        self.paths = unsafeBitCast(paths, to: (@convention(c) () -> UnsafePointer<CChar>).self)
    }

    /// The paths of the files and directories that `body` syncs.
    func synced(_ body: () throws -> Void) rethrows -> Set<String> {
        forget()
        try body()
        return Set(String(cString: paths()).split(separator: "\n").map(String.init))
    }

    /// Runs `body` with a fault at the n-th read, which the disk does not answer, or also none from then on.
    ///
    /// - Returns: what `body` threw.
    func withReadError(at place: Int, stays: Bool = false, _ body: () throws -> Void) -> (any Error)? {
        armReads(place, EIO, stays ? 1 : 0)
        defer { armReads(0, 0, 0) }
        let outcome = Result { try body() }
        if case .failure(let error) = outcome { return error }
        return nil
    }

    /// Runs `body` with a fault at the n-th write or sync, which then, or also from then on, finds no space.
    ///
    /// - Parameter error: how the system reports that.
    /// - Returns: whether it came so far, and what `body` threw.
    func withFullDisk(
        at place: Int, staysFull: Bool, error: Int32 = ENOSPC, _ body: () throws -> Void
    ) -> (struck: Bool, error: (any Error)?) {
        arm(place, error, staysFull ? 1 : 0)
        let outcome = Result { try body() }
        let seen = disarm()
        if case .failure(let error) = outcome { return (seen >= place, error) }
        return (seen >= place, nil)
    }

    /// Runs `body` in a process of its own; with a place, that is killed at the n-th write or sync after `body` has called what
    /// it is given. The process that asks must never have had anything in locked memory: a child does not have that.
    ///
    /// - Returns: the outcome of `body`, 100 for an error; nil where it was killed.
    func inChild(killedAt place: Int = 0, _ body: (_ begin: () -> Void) throws -> Int32) -> Int32? {
        let process = fork()
        if process == 0 {
            let outcome = Result { try body { arm(place, 0, 0) } }
            _ = disarm()
            if case .success(let status) = outcome { exit(status) } else { exit(100) }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Builds it in a folder, with the compiler that Swift brings along.
    static func build(in folder: String, from name: String = "faults") throws -> String {
        let path = folder + "/\(name).so"
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name).c").path
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "clang builds \(source)")
        return path
    }
}
