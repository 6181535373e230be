// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The result of a program that was run.
struct ProgramRun {
    /// nil if a signal ended it.
    let status: Int32?
    /// The lines of its output.
    let output: [String]
    let errors: [String]

    init(_ program: String, _ arguments: [String], _ environment: ProcessEnvironment) throws(CommandFailure) {
        do throws(ChildProcess.StartFailure) {
            let (output, errors) = (try OutputLines(), try OutputLines())
            let child = try ChildProcess.start(
                program, arguments, environment: environment.variables,
                files: [
                    (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)),
                    (STDOUT_FILENO, .descriptor(output.writingEnd)), (STDERR_FILENO, .descriptor(errors.writingEnd)),
                ])
            output.closeWritingEnd()
            errors.closeWritingEnd()
            while output.waitForMore(or: -1, until: .now + .seconds(60)) {}
            status = ChildProcess.wait(for: child)
            while errors.read(), !errors.hasEnded {}
            (self.output, self.errors) = (output.newLines(), errors.newLines())
        } catch {
            throw CommandFailure(.system, error.text)
        }
    }
}

/// Whether a path is a file that this user may execute.
func isExecutable(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
}
