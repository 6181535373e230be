// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Glibc
import Testing

@Suite("Directories of registrations")
struct RegistrationDirectoriesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func load(_ paths: String...) -> RegistrationDirectories {
        RegistrationDirectories(paths.isEmpty ? [directory.path] : paths, userID: geteuid())
    }

    @Test("A bad file is reported and does not affect the others")
    func badFile() throws {
        try directory.write(registration("org.example.Good"), to: "org.example.Good.json")
        try directory.write(#"{"bundleID": "org.example.Bad", "name": ""}"#, to: "org.example.Bad.json")
        try directory.write("{", to: "org.example.Worse.json")
        let catalog = load().catalog
        #expect(catalog.registrations.map(\.bundleID.text) == ["org.example.Good"])
        #expect(
            catalog.problems.map(\.description) == [
                "\(directory.path)/org.example.Bad.json: name: The name is empty. Write the app's name as users see it.",
                "\(directory.path)/org.example.Worse.json: line 1, column 2: The file ends inside the JSON text. "
                    + "Close every bracket and string.",
            ])
    }

    @Test("A file and a directory from before 1677 or after 2262 are read like others", arguments: [-1, 1])
    func farTimes(direction: Int) throws {
        let file = try directory.write(registration("org.example.A"), to: "org.example.A.json")
        let times = [timespec](repeating: timespec(tv_sec: direction * 10_413_792_000, tv_nsec: 0), count: 2)
        #expect(utimensat(AT_FDCWD, file, times, 0) == 0 && utimensat(AT_FDCWD, directory.path, times, 0) == 0)
        var directories = load()
        #expect(directories.catalog.registrations.map(\.bundleID.text) == ["org.example.A"])
        _ = directories.reloadIfChanged()
        #expect(directories.catalog.problems.isEmpty)
    }

    @Test("A missing directory is an empty one; a file of its name is a problem")
    func missing() throws {
        let file = try directory.write("", to: "file")
        let catalog = load("\(directory.path)/none", file, "\(file)/none").catalog
        #expect(catalog.registrations.isEmpty)
        #expect(catalog.problems.map(\.file) == [file, "\(file)/none"])
    }

    @Test("Only names that end with .json and are not hidden count; a name that is no bundle ID is a problem")
    func names() throws {
        for name in ["org.example.A.json~", ".org.example.A.json", "README", "org.example.A.JSON"] {
            try directory.write("x", to: name)
        }
        #expect(load().catalog.registrations.isEmpty && load().catalog.problems.isEmpty)
        try directory.write(registration("org.example.A"), to: "org.example.B.json")
        try directory.write(registration("org.example.A"), to: "A.json")
        #expect(load().catalog.problems.map { $0.mistakes.map(\.path) } == [["bundleID"], ["bundleID"]])
    }

    @Test("A file of more than 64 KiB, a directory, a pipe and a broken link are problems")
    func oddFiles() throws {
        let right = registration("org.example.Long")
        try directory.write(
            right + String(repeating: " ", count: 65_536 - right.utf8.count), to: "org.example.Long.json")
        try directory.write(String(repeating: " ", count: 65_537), to: "a.long.json")
        _ = directory.makeDirectory("b.directory.json")
        mkfifo("\(directory.path)/c.pipe.json", 0o600)
        symlink("\(directory.path)/nothing", "\(directory.path)/d.link.json")
        symlink("e.link.json", "\(directory.path)/e.link.json")
        let catalog = load().catalog
        #expect(catalog.registrations.map(\.bundleID.text) == ["org.example.Long"])
        #expect(
            catalog.problems.map { $0.mistakes.map(\.reason) } == [
                ["It has more than 65536 bytes."], ["It is no regular file."], ["It is no regular file."],
                ["It cannot be read: No such file or directory."],
                ["It cannot be read: Too many levels of symbolic links."],
            ])
    }

    @Test("The directory and its files may be links")
    func links() throws {
        try directory.write(registration("org.example.A"), to: "real/org.example.A.json")
        try directory.write(registration("org.example.B"), to: "elsewhere/b")
        symlink("../elsewhere/b", "\(directory.path)/real/org.example.B.json")
        symlink("./real/../real", "\(directory.path)/apps")
        let catalog = load("\(directory.path)/apps").catalog
        #expect(catalog.registrations.map(\.bundleID.text) == ["org.example.A", "org.example.B"])
        #expect(catalog.problems.isEmpty)
    }

    @Test("Of two registrations of one bundle ID the later directory's counts, and the other is reported")
    func laterDirectory() throws {
        let first = try directory.write(registration("org.example.A", name: "First"), to: "1/org.example.A.json")
        let second = try directory.write(registration("org.example.A", name: "Second"), to: "2/org.example.A.json")
        let catalog = load("\(directory.path)/1", "\(directory.path)/2").catalog
        #expect(try catalog[BundleIdentifier("org.example.A")]?.name.text == "Second")
        #expect(catalog.shadowed.map(\.file) == [first])
        #expect(catalog.shadowed.map(\.by) == [second])
    }

    @Test("A user's broken file shadows nothing")
    func brokenUserFile() throws {
        try directory.write(registration("org.example.A"), to: "1/org.example.A.json")
        try directory.write("broken", to: "2/org.example.A.json")
        let catalog = load("\(directory.path)/1", "\(directory.path)/2").catalog
        #expect(catalog.registrations.count == 1)
        #expect(catalog.problems.count == 1)
    }

    @Test("At most 4,096 files of a directory are read, the first by name")
    func fileLimit() throws {
        for number in 0...4096 { try directory.write("", to: "a.\(10_000 + number).json") }
        let catalog = load().catalog
        #expect(catalog.problems.count == 4097)
        #expect(catalog.problems.first?.file == directory.path)
        #expect(!catalog.problems.contains { $0.file.hasSuffix("a.14096.json") })
    }

    @Test("What others could have written is refused")
    func writableByOthers() throws {
        let file = try directory.write(registration("org.example.A"), to: "apps/org.example.A.json")
        chmod(file, 0o666)
        #expect(load("\(directory.path)/apps").catalog.problems.map(\.file) == [file])
        chmod(file, 0o644)
        #expect(load("\(directory.path)/apps").catalog.problems.isEmpty)
        chmod("\(directory.path)/apps", 0o777)
        #expect(load("\(directory.path)/apps").catalog.problems.map(\.file) == ["\(directory.path)/apps"])
        chmod("\(directory.path)/apps", 0o1777)
        #expect(load("\(directory.path)/apps").catalog.registrations.count == 1)
        chmod(directory.path, 0o777)
        #expect(load("\(directory.path)/apps").catalog.registrations.isEmpty)
    }

    @Test("Apple's other services are noted with the file")
    func notes() throws {
        let entitlements = #"{"com.apple.developer.associated-domains": ["applinks:example.com"]}"#
        let file = try directory.write(
            registration("org.example.A", entitlements: entitlements), to: "org.example.A.json")
        #expect(load().catalog.notes.map(\.file) == [file])
    }
}
