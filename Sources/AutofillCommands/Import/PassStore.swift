// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import Glibc
import SecretMemory

/// A store of `pass` or gopass: a directory of files that gpg decrypts.
struct PassStore {
    private let path: String
    /// The paths of its files in it, without `.gpg`.
    private let names: [String]
    private let gpg: GPGProgram

    init(_ path: String, _ environment: ProcessEnvironment = .current) throws(CommandFailure) {
        self.path = path
        gpg = try GPGProgram(environment)
        do {
            var visited: Set<String> = []
            names = try Self.names(in: path, below: "", &visited).sorted()
        } catch {
            throw CommandFailure(.noInput, "\(path.printable) cannot be listed")
        }
    }

    /// The names of the files in a directory and those below it, links to others included, as `pass` finds them.
    private static func names(
        in directory: String, below parent: String, _ visited: inout Set<String>
    ) throws -> [String] {
        let real = URL(filePath: directory).resolvingSymlinksInPath().path
        guard visited.insert(real).inserted else { return [] }
        var found: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: real) where !name.hasPrefix(".") {
            var isDirectory = false
            if FileManager.default.fileExists(atPath: "\(real)/\(name)", isDirectory: &isDirectory), isDirectory {
                found += try names(in: "\(real)/\(name)", below: "\(parent)\(name)/", &visited)
            } else if name.hasSuffix(".gpg") {
                found.append(parent + name.dropLast(4))
            }
        }
        return found
    }

    /// Has each file decrypted, and writes what is in it for `autofill-convert` (Records.md, "A store of pass").
    ///
    /// - Parameter progress: where the number of files is printed; nil for nowhere.
    func write(to descriptor: Int32, _ progress: Console?) throws(CommandFailure) {
        var lines = RecordLines(descriptor)
        try lines.add { writer in
            writer.member("record", "pass-store")
            writer.member("version", 1)
        }
        var next = ContinuousClock.now + .seconds(1)
        for (index, name) in names.enumerated() {
            let content = try gpg.decrypt("\(path)/\(name).gpg")
            try lines.add { writer in
                switch content {
                case .text(let text):
                    writer.member("record", "entry")
                    writer.member("text", text)
                case .binary:
                    writer.member("record", "entry")
                    writer.member("binary", true)
                case .tooLong: writer.member("record", "too-long")
                case .unreadable: writer.member("record", "unreadable")
                }
                writer.member("path", name)
            }
            if ContinuousClock.now >= next, let progress, progress.isTerminal {
                progress.printError("\(index + 1) of \(names.count.counted("file")) decrypted")
                next = .now + .seconds(1)
            }
        }
        let count = names.count
        try lines.add { writer in
            writer.member("record", "end")
            writer.member("entries", Int64(count))
        }
    }
}
