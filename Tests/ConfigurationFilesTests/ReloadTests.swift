// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Glibc
import Testing

@Suite("Reloading registrations")
struct ReloadTests {
    private let directory: TemporaryDirectory
    private let apps: String

    init() throws {
        directory = try TemporaryDirectory()
        apps = directory.makeDirectory("apps")
    }

    /// By the true clock all is fresh here, and read again in any case; by a clock that is a minute ahead a change must
    /// be seen. Older kernels than 6.13 show no second change within 10 ms unless, for example, the size differs.
    private func load(settled: Bool = true) -> RegistrationDirectories {
        RegistrationDirectories(
            [apps], userID: geteuid(), suffixList: "/none",
            now: { RegistrationDirectories.fileClock() + (settled ? 60_000_000_000 : 0) })
    }

    @Test("Nothing changed is no change")
    func unchanged() throws {
        try directory.write(registration("org.example.A"), to: "apps/org.example.A.json")
        var directories = load()
        for _ in 0..<3 { expectChange(false, in: &directories) }
        #expect(directories.catalog.registrations.count == 1)
    }

    @Test("A file that is added, overwritten, replaced, renamed or removed is noticed at once, each time")
    func changes() throws {
        var directories = load(settled: false)
        var names: [String] { directories.catalog.registrations.map(\.name.text) }
        // Rounds, so that changes within one tick of the file system's clock occur.
        for round in 0..<50 {
            let path = try directory.write(
                registration("org.example.A", name: "A\(round)"), to: "apps/org.example.A.json")
            expectChange(in: &directories)
            #expect(names == ["A\(round)"])
            try directory.write(registration("org.example.A", name: "B\(round)"), to: "apps/org.example.A.json")
            expectChange(in: &directories)
            #expect(names == ["B\(round)"])
            let draft = try directory.write(registration("org.example.A", name: "C\(round)"), to: "apps/draft")
            rename(draft, path)
            expectChange(in: &directories)
            #expect(names == ["C\(round)"])
            rename(path, "\(apps)/org.example.A.json.off")
            expectChange(in: &directories)
            #expect(names.isEmpty)
            rename("\(apps)/org.example.A.json.off", path)
            expectChange(in: &directories)
            unlink(path)
            expectChange(in: &directories)
            #expect(names.isEmpty)
        }
    }

    @Test("A file that is added later, or overwritten later, is noticed without reading all of them again")
    func settledChanges() throws {
        try directory.write(registration("org.example.A"), to: "apps/org.example.A.json")
        var edited = load()
        try directory.write(registration("org.example.A", name: "A longer name"), to: "apps/org.example.A.json")
        expectChange(in: &edited)
        #expect(edited.catalog.registrations.map(\.name.text) == ["A longer name"])

        // An old stamp, so that a new one differs on kernels too that stamp by the tick.
        try #require(utimensat(AT_FDCWD, apps, [timespec(), timespec()], 0) == 0)
        var added = load()
        try directory.write(registration("org.example.B"), to: "apps/org.example.B.json")
        expectChange(in: &added)
        #expect(added.catalog.registrations.count == 2)
    }

    @Test("A directory that is created, deleted, or replaced is noticed")
    func directoryChanges() throws {
        var directories = RegistrationDirectories(
            ["\(directory.path)/late"], userID: geteuid(), now: { RegistrationDirectories.fileClock() + 60_000_000_000 }
        )
        #expect(directories.catalog.registrations.isEmpty)
        try directory.write(registration("org.example.A"), to: "late/org.example.A.json")
        expectChange(in: &directories)
        #expect(directories.catalog.registrations.count == 1)
        rename("\(directory.path)/late", "\(directory.path)/gone")
        expectChange(in: &directories)
        #expect(directories.catalog.registrations.isEmpty)
    }

    @Test("What a link leads to is watched too")
    func link() throws {
        try directory.write(registration("org.example.A", name: "Old"), to: "elsewhere")
        symlink("../elsewhere", "\(apps)/org.example.A.json")
        var directories = load()
        #expect(directories.catalog.registrations.map(\.name.text) == ["Old"])
        try directory.write(registration("org.example.A", name: "Newer"), to: "elsewhere")
        expectChange(in: &directories)
        #expect(directories.catalog.registrations.map(\.name.text) == ["Newer"])
    }

    @Test("A directory above that becomes writable by others invalidates the registrations")
    func trustLost() throws {
        try directory.write(registration("org.example.A"), to: "apps/org.example.A.json")
        var directories = load()
        #expect(directories.catalog.registrations.count == 1)
        chmod(directory.path, 0o777)
        expectChange(in: &directories)
        #expect(directories.catalog.registrations.isEmpty)
        chmod(directory.path, 0o700)
        expectChange(in: &directories)
        #expect(directories.catalog.registrations.count == 1)
    }
}
