// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PathInspection

/// Why git did not do something.
struct GitFailure: Error {
    /// What git printed, at its end.
    let text: String
    /// What it printed to its standard output.
    var output: [UInt8] = []
}

/// Runs the git of the system, on the repository in the spool, without the configuration of the user and the system,
/// without hooks and without prompts.
struct GitProgram {
    /// The repository, which is bare.
    let repository: String

    /// The most that is read of what it prints.
    private static let outputBytes = 16 << 20
    private static let errorBytes = 4096

    /// - Parameters:
    ///   - input: nil: nothing.
    ///   - output: what receives the standard output; nil: it is returned.
    func run(
        _ arguments: [String], input: Descriptor? = nil, output: Descriptor? = nil, seconds: Int32 = 60
    ) throws(GitFailure) -> [UInt8] {
        let printed: (output: Descriptor, errors: Descriptor)
        do throws(SystemCallFailure) {
            let kept = if let output { output } else { try temporaryFile() }
            printed = (kept, try temporaryFile())
        } catch {
            throw GitFailure(text: "the spool of autofilld cannot be written: \(error.message)")
        }
        let process = try start(arguments, input: input?.number, printed.output.number, printed.errors.number)
        let isSuccessful = try wait(for: process, seconds: seconds)
        let bytes = output == nil ? Self.contents(printed.output, limit: Self.outputBytes + 1) : []
        guard isSuccessful, bytes.count <= Self.outputBytes else {
            let errors = Self.contents(printed.errors, limit: Self.errorBytes)
            let text = isSuccessful ? "git printed too much" : String(decoding: errors, as: UTF8.self)
            throw GitFailure(text: text, output: bytes)
        }
        return bytes
    }

    /// A file without a name, on the disk of the spool, in the repository's directory, which is made where there is none.
    func temporaryFile() throws(SystemCallFailure) -> Descriptor {
        mkdir(repository, 0o700)
        let name = repository + "/output"
        unlink(name)
        let file = try Descriptor.open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        unlink(name)
        return file
    }

    /// What was written to a file, from its start.
    private static func contents(_ file: Descriptor, limit: Int) -> [UInt8] {
        lseek(file.number, 0, SEEK_SET)
        do throws(SystemCallFailure) { return try file.read(atMost: limit) } catch { return [] }
    }

    // MARK: - The process

    private func start(
        _ arguments: [String], input: Int32?, _ output: Int32, _ errors: Int32
    ) throws(GitFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // A group of its own, which is killed as a whole.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let all = ["git", "--git-dir=\(repository)"] + Self.settings.flatMap { ["-c", $0] } + arguments
        let result = Self.withStrings(all) { arguments in
            Self.withStrings(environment) { environment in
                posix_spawnp(&process, "git", &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else {
            throw GitFailure(text: "git cannot be started: \(SystemCallFailure(code: result).message)")
        }
        return process
    }

    /// - Returns: whether it exited with status 0.
    private func wait(for process: pid_t, seconds: Int32) throws(GitFailure) -> Bool {
        let descriptor = Descriptor(number: af_pidfd_open(process))
        var waited = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        var result: Int32 = -1
        if descriptor.number >= 0 {
            repeat { result = poll(&waited, 1, seconds * 1000) } while result < 0 && errno == EINTR
        }
        let isOver = result == 1
        if !isOver { kill(-process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw GitFailure(text: "git cannot be waited for") }
        }
        guard isOver else { throw GitFailure(text: "git did not end within \(seconds) s") }
        return status == 0
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    // MARK: - Its configuration

    private static let settings = [
        "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "protocol.ext.allow=never",
        "transfer.fsckObjects=true", "core.fsync=all", "gc.autoDetach=false", "gc.pruneExpire=1.hour.ago",
        "http.lowSpeedLimit=1000", "http.lowSpeedTime=60", "http.followRedirects=false",
        "core.alternateRefsCommand=true",
    ]

    /// autofill-sync may not write ~/.ssh: without a socket for other connections, which would outlive this one too, and
    /// without new keys of the host: an unknown one, which ~/.ssh/config may permit, would be another one each time.
    /// Without the host's banner, which would be taken for the cause of a failure.
    private static let ssh = [
        "BatchMode=yes", "ControlMaster=no", "ControlPath=none", "UpdateHostKeys=no", "StrictHostKeyChecking=yes",
        "ConnectTimeout=20", "LogLevel=ERROR",
    ]
    private static let sshConfiguration = "ssh_config"

    /// Writes them before the user's and the system's own, where they are not: the ssh(1) of a jump host gets the file, and no
    /// options of the command line.
    func configureSSH() throws(SystemCallFailure) {
        let lines = Self.ssh + ["Include ~/.ssh/config", "Include /etc/ssh/ssh_config"]
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        let directory = try Descriptor.folder(repository)
        let present = try directory.plainFile(Self.sshConfiguration)?.file.read(atMost: bytes.count + 1)
        guard present != bytes else { return }
        try directory.removeFile(Self.sshConfiguration)
        let file = try Descriptor.open(
            Self.sshConfiguration, in: directory, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try file.write(bytes)
    }

    /// Of this process only what ssh(1) and the network need.
    private var environment: [String] {
        let kept = ["HOME", "PATH", "USER", "LOGNAME", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "https_proxy", "http_proxy"]
        let variables = kept.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        return variables + [
            "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
            "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=file:http:https:ssh", "GIT_PROTOCOL_FROM_USER=0",
            // What a partial repository lacks would be brought by a program that its configuration names.
            "GIT_NO_LAZY_FETCH=1",
            "GIT_SSH_COMMAND=" + sshCommand, "GIT_SSH_VARIANT=ssh",
            "SSH_ASKPASS_REQUIRE=never", "GIT_AUTHOR_NAME=autofilld", "GIT_AUTHOR_EMAIL=autofilld@localhost",
            "GIT_COMMITTER_NAME=autofilld", "GIT_COMMITTER_EMAIL=autofilld@localhost",
        ]
    }

    /// The options are given here too: of what a hostile host has git write, these are not changed. ssh(1) hands the path on to a
    /// shell as it is, so that a jump host's ssh has the options only where the path is plain.
    private var sshCommand: String {
        let path = "\(repository)/\(Self.sshConfiguration)"
        let isPlain = path.utf8.allSatisfy { isalnum(Int32($0)) != 0 || "/._@+-".utf8.contains($0) }
        return ([isPlain ? "ssh -F \(path)" : "ssh"] + Self.ssh).joined(separator: " -o")
    }
}
