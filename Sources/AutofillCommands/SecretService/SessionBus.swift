// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import Glibc

/// The user's session bus, accessed through busctl.
struct SessionBus {
    /// The owner of a name.
    struct Owner: Hashable {
        let processID: Int32
        /// Its program; the kernel's path, or else the process's own name.
        let program: String

        init(processID: Int32) {
            self.processID = processID
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            var count = readlink("/proc/\(processID)/exe", &buffer, buffer.count)
            if count <= 0 {
                let file = open("/proc/\(processID)/cmdline", O_RDONLY | O_CLOEXEC)
                count = read(file, &buffer, buffer.count)
                close(file)
            }
            let text = String(decoding: buffer[..<max(0, count)].prefix { $0 != 0 }, as: UTF8.self)
            program = text.isEmpty ? "process \(processID)" : text
        }

        /// The last component of the program's path.
        var name: String {
            program.lastIndex(of: "/").map { String(program[program.index(after: $0)...]) } ?? program
        }

        /// Its systemd service; nil if it is none.
        var unit: String? {
            guard let text = try? String(contentsOfFile: "/proc/\(processID)/cgroup", encoding: .utf8) else {
                return nil
            }
            return text.split(separator: "\n").first?.split(separator: "/").last { $0.hasSuffix(".service") }
                .map(String.init)
        }

        var isOwn: Bool { name == SecretServiceSetup.program }
    }

    private let busctl: String
    private let environment: ProcessEnvironment

    /// nil if there is no bus, or no busctl.
    init?(_ environment: ProcessEnvironment = .current) {
        let runtime = environment["XDG_RUNTIME_DIR"] ?? ""
        guard let program = environment.program("busctl"),
            environment["DBUS_SESSION_BUS_ADDRESS"] != nil || exists(runtime + "/bus")
        else { return nil }
        (busctl, self.environment) = (program, environment)
    }

    /// Calls a method.
    ///
    /// - Returns: the elements of the answer, its signature first; nil if the bus or the program answers with an error.
    func call(
        _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: [String] = []
    ) throws(CommandFailure) -> (elements: [String]?, error: String?) {
        let run = try ProgramRun(
            busctl, ["--user", "--timeout=20", "call", name, path, interface, method] + arguments, environment)
        guard run.status == 0 else {
            let error = run.errors.last ?? "no answer"
            return (nil, error.hasPrefix("Call failed: ") ? String(error.dropFirst(13)) : error)
        }
        return ((run.output.first ?? "").split(separator: " ").map { $0.filter { $0 != "\"" } }, nil)
    }

    private func askBus(_ method: String, _ arguments: [String] = []) throws(CommandFailure) -> [String]? {
        let name = "org.freedesktop.DBus"
        return try call(name, "/org/freedesktop/DBus", name, method, arguments).elements
    }

    /// The owner of the name; nil if there is none.
    func owner(of name: String = SecretServiceNames.bus) throws(CommandFailure) -> Owner? {
        guard let unique = try askBus("GetNameOwner", ["s", name]), unique.count == 2,
            let process = try askBus("GetConnectionUnixProcessID", ["s", unique[1]]), process.count == 2,
            let processID = Int32(process[1])
        else { return nil }
        return Owner(processID: processID)
    }

    /// Has the bus read its service files again.
    func reload() throws(CommandFailure) { _ = try askBus("ReloadConfig") }
}
