// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import SecretMemory

/// gpg, which decrypts files with the user's keys. Its agent asks for the key's passphrase.
struct GPGProgram {
    /// What is longer is no entry that the vault accepts.
    private static let longest = RecordStream.longest

    private let path: String
    private let variables: [String: String]

    /// What a file has.
    enum Content {
        case text(SecretBytes)
        case binary, tooLong
        /// None of the user's keys decrypts it, or it is damaged.
        case unreadable
    }

    init(_ environment: ProcessEnvironment) throws(CommandFailure) {
        guard let path = environment.program("gpg") else {
            throw CommandFailure(
                .unavailable, "gpg is not installed, but is needed to decrypt the store", fix: "apt install gnupg")
        }
        self.path = path
        var variables = environment.variables
        if variables["GPG_TTY"] == nil, let terminal = ttyname(STDIN_FILENO) {
            variables["GPG_TTY"] = String(cString: terminal)
        }
        self.variables = variables
    }

    /// - Throws: if the user was asked for the key's passphrase, and the key is not open after that: the next file
    ///   would ask again. gpg's doc/DETAILS describes the lines of its status.
    func decrypt(_ file: String) throws(CommandFailure) -> Content {
        let encrypted = open(file, O_RDONLY | O_CLOEXEC)
        guard encrypted >= 0 else { return .unreadable }
        defer { close(encrypted) }
        let text = try Pipe()
        let (child, status): (Int32, OutputLines)
        do throws(ChildProcess.StartFailure) {
            status = try OutputLines()
            child = try ChildProcess.start(
                path, ["--quiet", "--batch", "--status-fd", "3", "--decrypt"], environment: variables,
                files: [
                    (STDIN_FILENO, .descriptor(encrypted)), (STDOUT_FILENO, .descriptor(text.writingEnd)),
                    (STDERR_FILENO, .path("/dev/null", flags: O_WRONLY)), (3, .descriptor(status.writingEnd)),
                ])
        } catch {
            throw CommandFailure(.system, error.text.printable)
        }
        text.closeWritingEnd()
        status.closeWritingEnd()
        let content = Self.read(text.readingEnd)
        text.closeReadingEnd()
        let end = ChildProcess.wait(for: child)
        status.read()
        let words = status.newLines().map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
        if end != 0, words.contains("PINENTRY_LAUNCHED"), !words.contains("DECRYPTION_KEY") {
            throw CommandFailure(.refused, "The passphrase of your key was not given; nothing was imported")
        }
        if case .tooLong = content { return content }
        return end == 0 ? content : .unreadable
    }

    private static func read(_ descriptor: Int32) -> Content {
        var buffer = SecretBuffer(capacity: 16 << 10)
        while buffer.count <= longest {
            let added = buffer.append(upTo: 16 << 10) { space in
                while true {
                    let count = Glibc.read(descriptor, space.baseAddress, space.count)
                    if count >= 0 || errno != EINTR { return max(count, 0) }
                }
            }
            if added == 0 { return isText(buffer) ? .text(buffer.secret) : .binary }
        }
        return .tooLong
    }

    private static func isText(_ buffer: borrowing SecretBuffer) -> Bool {
        buffer.withUnsafeBytes { bytes in
            guard !bytes.contains(0) else { return false }
            return (try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)) != nil
        }
    }
}
