// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import Glibc
import Testing

/// A directory of a test's own, deleted after the test.
final class TemporaryDirectory: Sendable {
    let path: String

    /// - Parameter parent: a directory under which only root writes, for registrations of root's.
    init(in parent: String = "/tmp") throws {
        var template = Array("\(parent)/autofilld-tests-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        try #require(made)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Writes a file, making the directories above it.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        var directory = path
        for component in name.split(separator: "/").dropLast() {
            directory += "/" + component
            mkdir(directory, 0o755)
        }
        let file = try #require(fopen("\(path)/\(name)", "w"))
        defer { fclose(file) }
        fputs(text, file)
        return "\(path)/\(name)"
    }

    func makeDirectory(_ name: String) -> String {
        mkdir("\(path)/\(name)", 0o755)
        return "\(path)/\(name)"
    }

    private static func remove(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard name != ".", name != ".." else { continue }
                if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
            }
            closedir(directory)
        }
        rmdir(path)
    }
}

/// Whether files of other owners can be made here.
let isRoot = geteuid() == 0

/// A registration that is right.
func registration(_ bundleID: String, name: String = "Example", entitlements: String = "{}") -> String {
    #"{"bundleID": "\#(bundleID)", "name": "\#(name)", "executables": ["/usr/bin/x"], "entitlements": \#(entitlements)}"#
}

/// Reloads, and expects that the catalog is another afterwards, or is not.
func expectChange(
    _ expected: Bool = true, in directories: inout RegistrationDirectories,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let isChanged = directories.reloadIfChanged()
    #expect(isChanged == expected, sourceLocation: sourceLocation)
}
