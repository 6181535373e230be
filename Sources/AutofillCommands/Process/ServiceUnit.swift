// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The program that systemd runs as the service, and its drop-ins: one of them may silently start another program.
struct ServiceUnit {
    /// The unit's own file.
    let file: String
    let dropIns: [String]
    /// The path of the daemon that systemd starts.
    let program: String?

    /// Asks the user's manager, for 10 seconds at most; nil if there is none, or it has no such unit.
    static func read(_ environment: ProcessEnvironment = .current) -> ServiceUnit? {
        guard let runtime = environment["XDG_RUNTIME_DIR"], access("\(runtime)/systemd/private", F_OK) == 0,
            let output = try? OutputLines()
        else { return nil }
        let child = try? ChildProcess.start(
            "/usr/bin/systemctl",
            ["--user", "show", "autofilld.service", "--property=FragmentPath,DropInPaths,ExecStart"],
            environment: ["XDG_RUNTIME_DIR": runtime],
            files: [
                (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)), (STDOUT_FILENO, .descriptor(output.writingEnd)),
                (STDERR_FILENO, .path("/dev/null", flags: O_WRONLY)),
            ])
        output.closeWritingEnd()
        guard let child else { return nil }
        let deadline = ContinuousClock.now + .seconds(10)
        while output.waitForMore(or: -1, until: deadline) {}
        kill(child, SIGKILL)
        ChildProcess.wait(for: child)
        return ServiceUnit(output.newLines())
    }

    /// Parses the output of `systemctl show`.
    init?(_ lines: [String]) {
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        guard let file = value("FragmentPath"), !file.isEmpty else { return nil }
        self.file = file
        dropIns = (value("DropInPaths") ?? "").split(separator: " ").map(String.init)
        // { path=/usr/bin/autofilld ; argv[]=/usr/bin/autofilld ; ignore_errors=no ; ... }
        program = value("ExecStart").flatMap { command in
            guard let end = command.firstRange(of: " ; argv[]="), command.hasPrefix("{ path=") else { return nil }
            return String(command[..<end.lowerBound].dropFirst("{ path=".count))
        }
    }
}
