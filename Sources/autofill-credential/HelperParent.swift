// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import CredentialHelpers
internal import Glibc
internal import SecretMemory

/// The process that started this one, of which this one is the delegate if the administrator names it as one.
final class HelperParent {
    let pidfd: Int32

    /// nil if this program is no delegate, or the parent has ended.
    init?() {
        guard Self.isDelegate else { return nil }
        let parent = getppid()
        // A process whose parent has ended gets another parent.
        guard parent > 1 else { return nil }
        let opened = af_pidfd_open(parent)
        guard opened >= 0 else { return nil }
        guard getppid() == parent else {
            close(opened)
            return nil
        }
        pidfd = opened
    }

    deinit { close(pidfd) }

    /// Whether the file of the administrator, of a local installation or of the package names this executable: the first
    /// that exists. The daemon decides; this check only saves a useless call, and a line in the journal each time.
    private static var isDelegate: Bool {
        for directory in ["/etc", "/usr/local/share", "/usr/share"] {
            let file = "\(directory)/autofilld/delegates/\(HelperTool.delegate).json"
            guard let named = executables(in: file) else { continue }
            return named.contains { isThisProgram($0) }
        }
        return false
    }

    private static func executables(in file: String) -> [String]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = SecretBuffer()
        while text.count < 64 * 1024, StandardStreams.read(descriptor, into: &text) {}
        return text.withUnsafeBytes { text in
            var scanner = JSONScanner(maximumDepth: 4)
            let read = try? scanner.scan(text) { value throws(JSONError) in
                try value.member("executables")?.elements { path throws(JSONError) in try path.string() } ?? []
            }
            return read ?? []
        }
    }

    private static func isThisProgram(_ path: String) -> Bool {
        var (own, other) = (stat(), stat())
        return stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev
            && own.st_ino == other.st_ino
    }
}
