// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection
import Testing

@testable import ConfigurationFiles

@Suite("What could not be read, and may be the next time")
struct PassingFailureTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func isUnchanged(after content: (String) -> Void) throws -> Bool {
        content("\(directory.path)/org.example.A.json")
        var directories = ConfigurationDirectories(
            [directory.path], userID: geteuid(),
            now: { ConfigurationDirectories.fileClock() + 60_000_000_000 })
        _ = directories.read { file, _, _ throws(ConfigurationFileProblem) in file.bytes.count }
        return directories.isUnchanged
    }

    @Test("A file whose reading failed is read again though it is the same; one that is no regular file is not")
    func readAgain() throws {
        #expect(try isUnchanged { mkdir($0, 0o755) })
        // Its first bytes are no memory: EIO.
        let isUnchanged = try isUnchanged {
            rmdir($0)
            symlink("/proc/self/mem", $0)
        }
        #expect(!isUnchanged)
    }

    @Test("Errors of the kernel's own limits may cease, its errors for a path do not")
    func codes() {
        for code in [EMFILE, ENFILE, ENOMEM, EIO, EINTR, ESTALE] {
            #expect(ConfigurationFileProblem(file: "/f", cannotBe: "read", .init(code: code)).mayPass)
        }
        for code in [ENOENT, ENOTDIR, EACCES, ELOOP] {
            #expect(!ConfigurationFileProblem(file: "/f", cannotBe: "read", .init(code: code)).mayPass)
        }
    }
}
