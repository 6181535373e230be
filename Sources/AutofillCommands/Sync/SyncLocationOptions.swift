// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import Glibc
import Reasons

/// Where files are exchanged, and what this machine is called there.
struct SyncLocationOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The folder, which has to exist.", valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp("Instead of a folder: the URL of a git remote.", valueName: "url"))
    var git: String?

    @Option(help: ArgumentHelp("Your name for this machine; by default its host name.", valueName: "name"))
    var name: String?

    func validate() throws {
        if (folder == nil) == (git == nil) { throw ValidationError("Give a folder, or --git with a URL.") }
    }

    /// Checked before the user is asked for a secret.
    func location() throws(CommandFailure) -> SyncLocation {
        if let git { return .git(try Self.remote(git)) }
        let path = try absolutePath(folder ?? "")
        guard let real = realpath(path, nil) else {
            throw CommandFailure(
                .noInput, "The folder \(path.printable) cannot be used: \(String(cString: strerror(errno)))",
                fix: "Create it if it is new: mkdir -p \(path.printable.shellQuoted)")
        }
        defer { free(real) }
        var status = stat()
        guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure(.noInput, "\(path.printable) is not a folder", fix: "Name the folder that is carried")
        }
        return .folder(String(cString: real))
    }

    func machineName() throws(CommandFailure) -> String {
        let name = name ?? ThisComputer.name
        try Self.check(machineName: name, fix: "Add --name NAME")
        return name
    }

    static func check(machineName name: String, fix: String) throws(CommandFailure) {
        guard !(1...Limits.deviceNameBytes).contains(name.utf8.count) else { return }
        throw CommandFailure(.usage, "The name of a machine has 1 to \(Limits.deviceNameBytes) bytes", fix: fix)
    }

    /// A URL, SERVER:PATH or an absolute path.
    private static func remote(_ text: String) throws(CommandFailure) -> String {
        let url = text.contains(":") ? text : try absolutePath(text)
        do throws(GitLocationError) { return try GitLocation(url).url } catch {
            throw switch error {
            case .hasPassword:
                CommandFailure(
                    .usage, "The URL has a password in it, which other programs could read",
                    fix: "Use ssh with a key: --git ssh://SERVER/REPOSITORY.git")
            case .notAllowed:
                CommandFailure(
                    .usage, "\(text.printable) is no URL of a git remote",
                    fix: "Write ssh://SERVER/REPOSITORY.git, or the path of a bare repository")
            }
        }
    }
}
