// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import SecretMemory

/// `autofill-convert`, which reads and writes the files of other programs: a process of its own, with nothing but descriptors.
struct ConverterProgram {
    private static let name = "autofill-convert"
    /// The end of its message where a file needs a password.
    private static let asksForPassword = "give its password, or the key file that opens it alone"
    /// The descriptors of a password and of a key file there.
    private static let passwordDescriptor: Int32 = 3
    private static let keyFileDescriptor: Int32 = 4
    private static let reportDescriptor: Int32 = 5
    private static let gateDescriptor: Int32 = 9

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

    /// Converts what is imported to records.
    ///
    /// - Parameter read: reads the records from the descriptor that it is given, to their end.
    func records(
        of input: ImportInput, _ secrets: Secrets, columns: [String], progress: Console?,
        _ read: (Int32) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) -> End {
        let (records, errors) = (try Pipe(), try outputLines())
        let text = input.store == nil ? nil : try Pipe()
        var files: [(Int32, ChildProcess.File)] = [
            (STDIN_FILENO, .descriptor(text?.readingEnd ?? input.descriptor)),
            (STDOUT_FILENO, .descriptor(records.writingEnd)), (STDERR_FILENO, .descriptor(errors.writingEnd)),
        ]
        var arguments = ["import"] + columns.flatMap { ["--column", $0] }
        let password = try secrets.password.map { password throws(CommandFailure) in try Pipe(holding: password) }
        if let password {
            files.append((Self.passwordDescriptor, .descriptor(password.readingEnd)))
            arguments += ["--password-fd", "\(Self.passwordDescriptor)"]
        }
        let keyFile = try secrets.keyFile.map(Self.open)
        defer { if let keyFile { close(keyFile) } }
        if let keyFile {
            files.append((Self.keyFileDescriptor, .descriptor(keyFile)))
            arguments += ["--key-file-fd", "\(Self.keyFileDescriptor)"]
        }
        let child = try start(arguments, files)
        records.closeWritingEnd()
        errors.closeWritingEnd()
        password?.closeReadingEnd()
        text?.closeReadingEnd()
        var failure: CommandFailure?
        do throws(CommandFailure) {
            // It reads all before it writes.
            if let text { try input.store?.write(to: text.writingEnd, progress) }
            text?.closeWritingEnd()
            try await read(records.readingEnd)
        } catch {
            failure = Self.cut(child, off: error)
        }
        text?.closeWritingEnd()
        records.closeReadingEnd()
        return try end(of: child, errors, after: failure)
    }

    /// Converts records to a file.
    ///
    /// - Parameters:
    ///   - file: is written from its beginning.
    ///   - feed: writes the records to the descriptor that it is given.
    /// - Returns: what the format has no place for.
    func write(
        _ format: String, _ password: SecretBytes?, into file: Int32,
        _ feed: (Int32) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) -> [NotImported] {
        let (records, report, errors) = (try Pipe(), try Pipe(), try outputLines())
        var files: [(Int32, ChildProcess.File)] = [
            (STDIN_FILENO, .descriptor(records.readingEnd)), (STDOUT_FILENO, .descriptor(file)),
            (STDERR_FILENO, .descriptor(errors.writingEnd)), (Self.reportDescriptor, .descriptor(report.writingEnd)),
        ]
        var arguments = ["export", format, "--report-fd", "\(Self.reportDescriptor)"]
        let password = try password.map { password throws(CommandFailure) in try Pipe(holding: password) }
        if let password {
            files.append((Self.passwordDescriptor, .descriptor(password.readingEnd)))
            arguments += ["--password-fd", "\(Self.passwordDescriptor)"]
        }
        let child = try start(arguments, files)
        records.closeReadingEnd()
        report.closeWritingEnd()
        errors.closeWritingEnd()
        password?.closeReadingEnd()
        var failure: CommandFailure?
        var missing: [NotImported] = []
        do throws(CommandFailure) {
            try await feed(records.writingEnd)
            records.closeWritingEnd()
            // It writes the report last.
            var lines = RecordStream(report.readingEnd)
            while case .notImported(let record)? = try lines.next() { missing.append(record) }
        } catch {
            failure = Self.cut(child, off: error)
        }
        records.closeWritingEnd()
        switch try end(of: child, errors, after: failure) {
        case .done: return missing
        case .asksForPassword: throw CommandFailure(.badData, "The format needs a password")
        case .refused(let message): throw CommandFailure(.system, message.printable)
        }
    }

    /// A QR code as lines of text, in which dark modules are blocks; nil where the program cannot draw it.
    func code(of text: SecretBytes) throws(CommandFailure) -> SecretBytes? {
        let (input, lines, errors) = (try Pipe(holding: text), try Pipe(), try outputLines())
        let child = try start(
            ["qr-code"],
            [
                (STDIN_FILENO, .descriptor(input.readingEnd)), (STDOUT_FILENO, .descriptor(lines.writingEnd)),
                (STDERR_FILENO, .descriptor(errors.writingEnd)),
            ])
        input.closeReadingEnd()
        lines.closeWritingEnd()
        errors.closeWritingEnd()
        var code = SecretBuffer(capacity: 16 << 10)
        while code.append(upTo: 16 << 10, { read(lines.readingEnd, $0.baseAddress, $0.count) }) > 0 {}
        guard case .done = try end(of: child, errors, after: nil) else { return nil }
        return code.secret
    }

    private static func open(_ path: String) throws(CommandFailure) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(.noInput, "\(path.printable) cannot be read: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Ends the program while its input is still open: at the end of an input that is not complete it would report that,
    /// instead of the cause.
    private static func cut(_ child: Int32, off cause: CommandFailure) -> CommandFailure {
        kill(child, SIGKILL)
        return cause
    }

    private func end(
        of child: Int32, _ errors: OutputLines, after failure: CommandFailure?
    ) throws(CommandFailure) -> End {
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

    /// Starts it where its memory is not written to swap: it begins when it is there, or cannot be.
    private func start(
        _ arguments: [String], _ files: [(Int32, ChildProcess.File)]
    ) throws(CommandFailure) -> Int32 {
        let gate = try Pipe()
        let waiting = "read -r _ <&\(Self.gateDescriptor); exec \(Self.gateDescriptor)<&-; exec \"$@\""
        let child: Int32
        do throws(ChildProcess.StartFailure) {
            child = try ChildProcess.start(
                "/bin/sh", ["-c", waiting, "sh", path] + arguments, environment: [:],
                files: files + [(Self.gateDescriptor, .descriptor(gate.readingEnd))])
        } catch {
            throw CommandFailure(.system, error.text)
        }
        gate.closeReadingEnd()
        SwapProtection.cover(child)
        gate.closeWritingEnd()
        return child
    }
}
