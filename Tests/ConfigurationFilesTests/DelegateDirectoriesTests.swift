// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Glibc
import Testing

@Suite("Delegates that an administrator names", .enabled(if: isRoot, "needs root, to make root's files"))
struct DelegateDirectoriesTests {
    /// Under a directory that only root writes.
    private let directory: TemporaryDirectory
    private let packages: String
    private let administrator: String

    init() throws {
        directory = try TemporaryDirectory(in: "/var/lib")
        chmod(directory.path, 0o755)
        packages = directory.makeDirectory("packages")
        administrator = directory.makeDirectory("administrator")
    }

    private func load() -> DelegateDirectories {
        DelegateDirectories(
            [packages, administrator, "\(directory.path)/missing"],
            now: { RegistrationDirectories.fileClock() + 60_000_000_000 })
    }

    private func declaration(_ executables: String...) -> String {
        #"{"executables": [\#(executables.map { #""\#($0)""# }.joined(separator: ", "))]}"#
    }

    @Test("Each file names programs, and the administrator's replaces a package's of the same name")
    func order() throws {
        try directory.write(declaration("/usr/libexec/a", "/usr/libexec/b"), to: "packages/secrets.json")
        try directory.write(declaration("/usr/libexec/web"), to: "packages/browser.json")
        try directory.write(declaration(), to: "administrator/browser.json")
        let found = load()
        #expect(found.problems.isEmpty)
        #expect(found.declarations.map(\.name) == ["browser", "secrets"])
        #expect(found.declarations.map { $0.executables.map(\.text) } == [[], ["/usr/libexec/a", "/usr/libexec/b"]])
        #expect(found.declarations[0].file == "\(administrator)/browser.json")
    }

    @Test("An invalid file names no program, reserves its name, and is reported with the reason")
    func broken() throws {
        try directory.write(declaration("/usr/libexec/a"), to: "packages/secrets.json")
        for text in ["{}", "[]", declaration("relative"), #"{"executables": [], "executable": []}"#, "{"] {
            let path = try directory.write(text, to: "administrator/secrets.json")
            let found = load()
            #expect(found.declarations.isEmpty, "\(text)")
            #expect(found.problems.map(\.file) == [path], "\(text)")
        }
    }

    @Test("A file that others than root could have written names no program, and reserves no name")
    func notRoots() throws {
        try directory.write(declaration("/usr/libexec/a"), to: "packages/secrets.json")
        let path = try directory.write(declaration("/home/a/evil"), to: "administrator/secrets.json")
        for spoil in [
            { chown(path, 54_321, 0) }, { chmod(path, 0o666) }, { chown(administrator, 54_321, 0) },
            { chmod(administrator, 0o1777) }, { chmod(administrator, 0o775) },
        ] {
            try #require(spoil() == 0)
            let found = load()
            #expect(found.declarations.map(\.file) == ["\(packages)/secrets.json"])
            #expect(found.problems.count == 1)
            chown(path, 0, 0)
            chmod(path, 0o644)
            chown(administrator, 0, 0)
            chmod(administrator, 0o755)
        }
        let elsewhere = try TemporaryDirectory()
        try elsewhere.write(declaration("/home/a/evil"), to: "secrets.json")
        unlink(path)
        try #require(symlink("\(elsewhere.path)/secrets.json", path) == 0)
        #expect(load().declarations.map(\.file) == ["\(packages)/secrets.json"])
    }

    @Test("A change is noticed, and nothing is read again without one")
    func changes() throws {
        try directory.write(declaration("/usr/libexec/a"), to: "packages/secrets.json")
        try #require(utimensat(AT_FDCWD, packages, [timespec(), timespec()], 0) == 0)
        var found = load()
        expectChange(false, in: &found)
        try directory.write(declaration("/usr/libexec/a", "/usr/libexec/b"), to: "packages/secrets.json")
        expectChange(in: &found)
        #expect(found.declarations.first?.executables.count == 2)
        try directory.write(declaration("/usr/libexec/web"), to: "packages/browser.json")
        expectChange(in: &found)
        expectChange(false, in: &found)
        chown(packages, 54_321, 0)
        expectChange(in: &found)
        #expect(found.declarations.isEmpty)
    }

    private func expectChange(
        _ expected: Bool = true, in found: inout DelegateDirectories, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let old = (found.declarations, found.problems)
        found.reloadIfChanged()
        #expect(((found.declarations, found.problems) != old) == expected, sourceLocation: sourceLocation)
    }
}
