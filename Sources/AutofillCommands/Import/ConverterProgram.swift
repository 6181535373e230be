// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import SecretMemory

/// `autofill-convert`, which reads and writes the files of other programs: a process of its own, with nothing but descriptors.
struct ConverterProgram {
    private static let name = "autofill-convert"
    /// The end of its message where a file needs a password.
    private static let asksForPassword = "no password or key file was given"
    /// The descriptors of a password and of a key file there.
    private static let passwordDescriptor: Int32 = 3
    private static let keyFileDescriptor: Int32 = 4

    private let path: String

    /// The one beside this program, else the first in PATH.
    init(_ environment: ProcessEnvironment = .current) throws(CommandFailure) {
        let own = DaemonProgram.own.flatMap { own in own.lastIndex(of: "/").map { String(own[..<$0]) } }
        let beside = own.map { "\($0)/\(Self.name)" }.flatMap { isExecutable($0) ? $0 : nil }
        guard let path = beside ?? environment.program(Self.name) else {
            throw CommandFailure(
                .unavailable, "\(Self.name) is neither beside this program nor in PATH",
                fix: "Install it: it reads the files of other programs")
        }
        self.path = path
    }

    /// What a file is opened with.
    struct Secrets {
        var password: SecretBytes?
        /// The path of a KDBX key file.
        var keyFile: String?
    }

    /// How a conversion ended.
    enum End {
        case done
        /// The file is encrypted, and no password was given.
        case asksForPassword
        /// It was refused, with the program's own sentence.
        case refused(String)
    }

    /// Converts a file to records.
    ///
    /// - Parameter read: reads the records from the descriptor that it is given, to their end.
    func records(
        of file: Int32, _ secrets: Secrets, columns: [String],
        _ read: (Int32) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) -> End {
        let (records, errors) = (try Pipe(), try outputLines())
        var files: [(Int32, ChildProcess.File)] = [
            (STDIN_FILENO, .descriptor(file)), (STDOUT_FILENO, .descriptor(records.writingEnd)),
            (STDERR_FILENO, .descriptor(errors.writingEnd)),
        ]
        var arguments = ["import"] + columns.flatMap { ["--column", $0] }
        let password = try secrets.password.map { password throws(CommandFailure) in try Pipe(holding: password) }
        if let password {
            files.append((Self.passwordDescriptor, .descriptor(password.readingEnd)))
            arguments += ["--password-fd", "\(Self.passwordDescriptor)"]
        }
        if let keyFile = secrets.keyFile {
            files.append((Self.keyFileDescriptor, .path(keyFile, flags: O_RDONLY)))
            arguments += ["--key-file-fd", "\(Self.keyFileDescriptor)"]
        }
        let child = try start(arguments, files)
        records.closeWritingEnd()
        errors.closeWritingEnd()
        password?.closeReadingEnd()
        var failure: CommandFailure?
        do throws(CommandFailure) { try await read(records.readingEnd) } catch { failure = error }
        records.closeReadingEnd()
        // What it still writes has no reader.
        if failure != nil { kill(child, SIGKILL) }
        while errors.waitForMore(or: -1, until: .now + .seconds(60)) {}
        let status = ChildProcess.wait(for: child)
        let message = errors.newLines().first ?? "\(Self.name) was ended by a signal"
        if status == 0 {
            if let failure { throw failure }
            return .done
        }
        if message.hasSuffix(Self.asksForPassword) { return .asksForPassword }
        // Of what was cut off only the program itself knows the cause.
        if let failure, status == nil { throw failure }
        return .refused(message)
    }

    private func outputLines() throws(CommandFailure) -> OutputLines {
        do throws(ChildProcess.StartFailure) { return try OutputLines() } catch {
            throw CommandFailure(.system, error.text)
        }
    }

    private func start(
        _ arguments: [String], _ files: [(Int32, ChildProcess.File)]
    ) throws(CommandFailure) -> Int32 {
        do throws(ChildProcess.StartFailure) {
            return try ChildProcess.start(path, arguments, environment: [:], files: files)
        } catch {
            throw CommandFailure(.system, error.text)
        }
    }
}

/// A pipe between this process and a child.
private final class Pipe {
    private(set) var readingEnd: Int32
    private(set) var writingEnd: Int32

    init() throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.system, "A pipe cannot be made: \(String(cString: strerror(errno)))")
        }
        // Above the numbers that a child has them at.
        for index in ends.indices {
            let high = fcntl(ends[index], F_DUPFD_CLOEXEC, 16)
            close(ends[index])
            ends[index] = high
        }
        (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    /// One with a line in it, which fits in a pipe.
    convenience init(holding line: SecretBytes) throws(CommandFailure) {
        try self.init()
        line.withUnsafeBytes { _ = write(writingEnd, $0.baseAddress, $0.count) }
        closeWritingEnd()
    }

    deinit {
        closeReadingEnd()
        closeWritingEnd()
    }

    func closeReadingEnd() {
        if readingEnd >= 0 { close(readingEnd) }
        readingEnd = -1
    }

    func closeWritingEnd() {
        if writingEnd >= 0 { close(writingEnd) }
        writingEnd = -1
    }
}
