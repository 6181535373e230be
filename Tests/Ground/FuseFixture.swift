// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A real FUSE file system, which hangs on a test's request until it is released. Tests/FuseFixture/server.py serves
/// it, a process of its own.
///
/// A test does not access the files itself while they hang: only `release` or `stop` would let it continue.
package final class FuseFixture {
    package enum Failure: Error { case system(Int32), unexpected(String), silent, notRunning }

    /// What a process does with a file.
    package enum Operation: String, CaseIterable {
        /// The look-up of its name: the first step of each `open`, `stat` and `execve` by path.
        case lookup
        /// `stat`, of a path and of an open file, and of `/proc/PID/exe`.
        case getattr
        /// `open`, of `/proc/PID/exe` too.
        case open
        /// `read`. What an executable has is read once, at its start, and then kept in memory.
        case read
        /// `close`.
        case flush
    }

    package struct File {
        let name: String
        let faces: [[UInt8]]
        let mode: UInt32

        /// A file that reads the same each time.
        package init(_ name: String, _ contents: [UInt8], mode: UInt32 = 0o644) {
            self.init(name, faces: [contents], mode: mode)
        }

        /// A file with two faces: it reads as the first one the first time, from its start to its end, and as the next
        /// one the next time. The last one stays.
        package init(_ name: String, faces: [[UInt8]], mode: UInt32 = 0o644) {
            (self.name, self.faces, self.mode) = (name, faces, mode)
        }

        /// A program that can be run from there: a copy of the one at `path`.
        package static func program(_ name: String, copying path: String) throws -> File {
            File(name, [UInt8](try Data(contentsOf: URL(filePath: path))), mode: 0o755)
        }
    }

    /// Whether this machine and this user can have one, for `.enabled(if:_:)` with `need`.
    package static let isAvailable: Bool = geteuid() == 0 && (try? FuseFixture(files: [])) != nil
    /// What is missing where it is not available.
    package static let need = "needs root, /dev/fuse, the right to mount, and python3"

    /// Where the files are.
    package let path: String
    private let folder: TemporaryDirectory
    private let process = Process()
    private let (commands, answers) = (Pipe(), Pipe())
    private var unread: [UInt8] = []

    /// Mounts it.
    package init(files: [File]) throws {
        folder = try TemporaryDirectory()
        path = folder.path + "/mount"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let server = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "FuseFixture/server.py").path(percentEncoded: false)
        var arguments = ["python3", server, path]
        for (index, file) in files.enumerated() {
            var argument = "\(file.name):\(String(file.mode, radix: 8))"
            for (number, face) in file.faces.enumerated() {
                let source = folder.path + "/\(index).\(number)"
                try Data(face).write(to: URL(filePath: source))
                argument += ":" + source
            }
            arguments.append(argument)
        }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
        try expect("mounted")
    }

    deinit { stop() }

    /// From now on these operations hang, until `release`; of one file, or of all.
    package func hang(_ operations: Set<Operation>, of name: String? = nil) throws {
        let names = operations.map(\.rawValue).sorted().joined(separator: ",")
        try send("hang \(names)" + (name.map { " \($0)" } ?? ""))
        try expect("hanging")
    }

    /// Waits until so many operations hang at once: their callers are then blocked in the kernel.
    /// - Parameter seconds: the test fails with `silent` where it needs longer.
    /// - Returns: how many hang.
    @discardableResult
    package func awaitHeld(_ count: Int = 1, seconds: Int = 30) throws -> Int {
        try send("await \(count)")
        return try number(after: "held", seconds: seconds)
    }

    /// Nothing hangs any more; blocked operations continue.
    /// - Returns: how many operations hung.
    @discardableResult
    package func release() throws -> Int {
        try send("release")
        return try number(after: "released")
    }

    /// Releases all, unmounts, and ends the server. Open files of it answer `ENOTCONN` from then on.
    package func stop() {
        guard process.isRunning else { return }
        try? send("stop")
        process.waitUntilExit()
    }

    // MARK: - The server's lines

    private func send(_ line: String) throws {
        guard process.isRunning else { throw Failure.notRunning }
        try commands.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    private func expect(_ expected: String) throws {
        let line = try line(seconds: 30)
        guard line == expected else { throw Failure.unexpected(line) }
    }

    private func number(after word: String, seconds: Int = 30) throws -> Int {
        let line = try line(seconds: seconds)
        guard line.hasPrefix(word + " "), let number = Int(line.dropFirst(word.count + 1)) else {
            throw Failure.unexpected(line)
        }
        return number
    }

    private func line(seconds: Int) throws -> String {
        let descriptor = answers.fileHandleForReading.fileDescriptor
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Int32(seconds * 1000))
            guard ready != 0 else { throw Failure.silent }
            var chunk = [UInt8](repeating: 0, count: 256)
            let count = ready < 0 ? -1 : read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure.system(errno) }
            guard count > 0 else { throw Failure.notRunning }
            unread += chunk[..<count]
        }
    }
}
