// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// Two Nextcloud clients, which carry one folder each way over a server on loopback, at a limited rate.
///
/// The folder is in another one, which has a file of its own: a client that finds all files of a folder replaced asks
/// whether they were removed, and `nextcloudcmd` waits for an answer for ever.
final class NextcloudPair: FolderPair {
    static let program = "/usr/bin/nextcloudcmd"
    static var isInstalled: Bool {
        [program, "/usr/bin/python3"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    let folders: [SyncFolder]
    private let directory: String
    private let server: SpawnedProgram
    private let port: String
    private var processes: [SpawnedProgram?] = [nil, nil]

    /// How much each of client and server sends in a second, so that a file takes long enough to be interrupted.
    private static let kibibytesPerSecond = 16

    init() throws {
        let directory = try TestFiles.folder()
        self.directory = directory
        folders = [try SyncFolder(), try SyncFolder()]
        for path in folders.map(\.path) + ["\(directory)/server", "\(directory)/0", "\(directory)/1"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let script = TestFiles.root + "Tests/DaemonTests/Sync/nextcloud_server.py"
        server = try SpawnedProgram(
            "/usr/bin/python3", [script, "\(directory)/server", String(Self.kibibytesPerSecond << 10)])
        let file = "\(directory)/server/port"
        try SyncFolder.eventually("the server listens") { FileManager.default.fileExists(atPath: file) }
        port = try String(contentsOfFile: file, encoding: .utf8)
        try "notes".write(toFile: carried(0) + "/notes.txt", atomically: false, encoding: .utf8)
    }

    deinit {
        for side in 0...1 { kill(side) }
        server.kill9()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// What a client carries.
    private func carried(_ side: Int) -> String {
        URL(filePath: folders[side].path).deletingLastPathComponent().path(percentEncoded: false)
    }

    // MARK: - Processes

    func start() throws {
        for side in 0...1 { try start(side) }
    }

    /// Starts the client of a side, again a second after its end.
    func start(_ side: Int) throws {
        guard processes[side] == nil else { return }
        let arguments = [
            "--non-interactive", "-h", "--uplimit", String(Self.kibibytesPerSecond), "-u", "side\(side)", "-p",
            "password", carried(side),
        ]
        processes[side] = try SpawnedProgram(
            "/bin/sh",
            ["-c", "while :; do \"$@\"; sleep 1; done", "sh", Self.program] + arguments + ["http://127.0.0.1:\(port)"],
            environment: ["HOME": "\(directory)/\(side)", "PATH": "/usr/bin:/bin"])
    }

    func kill(_ side: Int) {
        processes[side]?.kill9()
        processes[side] = nil
    }

    // MARK: - Files

    func isReceiving(_ side: Int) -> Bool { isServing("sent", side) }

    func isSending(_ side: Int) -> Bool { isServing("received", side) }

    /// Whether the server is in the middle of a file of a side.
    private func isServing(_ name: String, _ side: Int) -> Bool {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/server/\(name)")) ?? []
        return files.contains { $0.hasPrefix("side\(side).") }
    }

    func conflictCopies(_ side: Int) -> Set<String> {
        SyncFolder.files(in: folders[side].path).filter { $0.contains(" (conflicted copy ") }
    }

    /// What the server has of a file of a side.
    func served(_ path: String, of side: Int) -> Data? {
        FileManager.default.contents(
            atPath: "\(directory)/server/files/folder" + path.dropFirst(folders[side].path.count))
    }
}
