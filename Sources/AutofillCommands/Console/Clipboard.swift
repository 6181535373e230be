// SPDX-License-Identifier: Apache-2.0
import Glibc
import SecretMemory
import Synchronization

/// The clipboard of the session, set by a program of the session: wl-copy under Wayland, xclip or xsel under X11.
///
/// The program stays in the foreground and serves the clipboard until something else is copied. When it ends, only its
/// own content is removed: what was copied meanwhile stays.
struct Clipboard: Sendable {
    /// The permitted seconds, and the default.
    static let seconds = 1...600
    static let defaultSeconds = 45

    private static let programs: [(name: String, arguments: [String], display: String)] = [
        ("wl-copy", ["--foreground"], "WAYLAND_DISPLAY"),
        ("xclip", ["-selection", "clipboard", "-quiet"], "DISPLAY"),
        ("xsel", ["--clipboard", "--input", "--nodetach"], "DISPLAY"),
    ]

    /// timeout(1) of coreutils: it ends the program even if this process was killed.
    private static let guardian = "/usr/bin/timeout"

    /// For wl-copy, which may keep the password in a file, and which SIGTERM ends before it removes it: 2.1.0 and older
    /// in a folder below /tmp, under the name of their input; others in TMPDIR. So the input is a FIFO with a unique
    /// name, in a folder that is TMPDIR too, and this shell, which survives the SIGTERM that the guardian sends to its
    /// group, removes both. `wl-copy --clear` would not do: under GNOME it waits for the keyboard focus.
    private static let removing = """
        folder=$1
        shift
        ended='' pid=''
        trap 'ended=1; [ -z "$pid" ] || kill "$pid"' TERM
        exec 3<&0
        "$@" <&3 3<&- &
        pid=$!
        # It may have come before there was anything to end.
        [ -z "$ended" ] || kill "$pid"
        wait "$pid"
        status=$?
        while kill -0 "$pid"; do
            wait "$pid"
            status=$?
        done
        trap '' TERM
        for file in "$folder/" /tmp/wl-copy-buffer-*/"${folder##*.}"; do /bin/rm -rf -- "${file%/*}"; done
        exit $status
        """

    private let name: String
    private let command: [String]
    private let environment: [String: String]

    init(_ environment: ProcessEnvironment = .current) throws(CommandFailure) {
        let there = Self.programs.filter { !(environment[$0.display] ?? "").isEmpty }
        guard !there.isEmpty else {
            throw CommandFailure(
                .noInput, "There is no clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set",
                fix: "Run it in a graphical session, or use --reveal")
        }
        let directories = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        for program in there {
            let paths = directories.map { directory -> String in "\(directory)/\(program.name)" }
            guard let path = paths.first(where: { path in access(path, X_OK) == 0 }) else { continue }
            name = program.name
            command = [path] + program.arguments
            self.environment = environment.variables
            return
        }
        throw CommandFailure(
            .unavailable, "No program for the clipboard is installed: \(there.map(\.name).joined(separator: ", "))",
            fix: "Install \(there[0].name == "wl-copy" ? "wl-clipboard" : "xclip"), or use --reveal")
    }

    /// Holds a secret until the time has expired, something else is copied, or the user interrupts.
    func hold(_ secret: SecretBytes, seconds: Int, _ announce: () -> Void) throws(CommandFailure) {
        let holder = Holder()
        try Interruption.catch { holder.end() }
        let folder = try name == "wl-copy" ? makeFolder() : nil
        defer { if let folder { Self.remove(folder) } }
        let (reading, writing) = try openPipe(in: folder)
        // A secret is smaller than any pipe: it is written completely before the program starts.
        let isWritten = secret.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) == $0.count }
        close(writing)
        defer { close(reading) }
        guard isWritten else { throw failure("the password could not be written") }
        var (command, environment) = (self.command, self.environment)
        if let folder {
            command = ["/bin/sh", "-c", Self.removing, "sh", folder] + command
            environment["TMPDIR"] = folder
        }
        let child: Int32
        do throws(ChildProcess.StartFailure) {
            child = try ChildProcess.start(
                Self.guardian, ["--kill-after=2", "\(seconds)"] + command, environment: environment,
                files: [
                    (STDIN_FILENO, .descriptor(reading)), (STDOUT_FILENO, .path("/dev/null", flags: O_WRONLY)),
                    (STDERR_FILENO, .path("/dev/null", flags: O_WRONLY)),
                ])
        } catch {
            throw failure(error.text)
        }
        holder.started(child)
        announce()
        let status = ChildProcess.wait(for: child)
        if holder.isEnded {
            throw CommandFailure(.interrupted, "Interrupted; the password was removed from the clipboard")
        }
        // 124: the time has expired. 0: something else was copied.
        guard status == 124 || status == 0 else {
            throw failure("it ended with \(status.map { "exit status \($0)" } ?? "a signal")")
        }
    }

    /// A folder for the FIFO and for files of the program: in memory, where the session has such a directory.
    private func makeFolder() throws(CommandFailure) -> String {
        for parent in [environment["XDG_RUNTIME_DIR"] ?? "", "/tmp"] where parent.hasPrefix("/") {
            if let folder = TemporaryFolder.make(in: parent, named: "autofill-copy") { return folder }
        }
        throw failure(String(cString: strerror(errno)))
    }

    /// The FIFO has the random part of the folder's name: wl-copy would take a suffix for a type.
    private static func pipePath(in folder: String) -> String {
        "\(folder)/\(folder.split(separator: ".").last ?? "")"
    }

    private static func remove(_ folder: String) {
        unlink(pipePath(in: folder))
        rmdir(folder)
    }

    /// Opens a pipe, in a folder as a FIFO.
    private func openPipe(in folder: String?) throws(CommandFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        if let folder {
            let path = Self.pipePath(in: folder)
            guard mkfifo(path, 0o600) == 0 else { throw failure(String(cString: strerror(errno))) }
            // For both first: an end alone would wait for the other.
            ends[1] = open(path, O_RDWR | O_CLOEXEC)
            ends[0] = open(path, O_RDONLY | O_CLOEXEC)
            guard ends.allSatisfy({ $0 >= 0 }) else { throw failure(String(cString: strerror(errno))) }
        } else {
            guard pipe(&ends) == 0 else { throw failure(String(cString: strerror(errno))) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        return (ends[0], ends[1])
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .system, "\(name) did not accept the password: \(reason)",
            fix: "Check whether it works: echo test | \(command.joined(separator: " "))")
    }
}

/// The program that holds the secret, and whether the user has ended it.
private final class Holder: Sendable {
    private let state = Mutex<(isEnded: Bool, group: Int32?)>((false, nil))

    /// Whether it was ended, and did not exit itself.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The program runs, as a process group of its own.
    func started(_ group: Int32) {
        state.withLock { state in
            state.group = group
            if state.isEnded { kill(-group, SIGTERM) }
        }
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            if let group = state.group { kill(-group, SIGTERM) }
        }
    }
}
