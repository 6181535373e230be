// SPDX-License-Identifier: Apache-2.0
import Glibc
import PathInspection
import TestGround
import Testing

@Suite(.blocking) struct PathWalkTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func walk(_ path: String) throws(SystemCallFailure) -> PathWalk {
        try PathWalk(to: path.utf8, entersServed: false)
    }

    private func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test("A system's program is root's alone, also by way of root's links and of points")
    func system() throws {
        for path in ["/usr/bin/env", "/bin/env", "/usr/../usr/./bin//env", "/../usr/bin/env"] {
            let walk = try walk(path)
            #expect(walk.isRootsAlone, "\(path)")
            #expect(walk.end.point.facts.inode == inode("/usr/bin/env"), "\(path)")
            #expect(walk.end.point.path == "/usr/bin/env")
        }
        #expect(try walk("/").isRootsAlone)
        #expect(try walk("/usr/bin").file == nil)
    }

    @Test("A link, or a directory, that others may change decides, wherever it leads")
    func othersLink() throws {
        let link = "\(directory.path)/env"
        try #require(symlink("/usr/bin/env", link) == 0)
        let walk = try walk(link)
        #expect(walk.end.point.facts.inode == inode("/usr/bin/env"))
        #expect(!walk.isRootsAlone)
        #expect(walk.way.contains { $0.path == link && $0.facts.isLink })
    }

    @Test("Nothing on a removable medium is root's alone, whatever owner it reports")
    func removableMedium() {
        var facts = FileFacts()
        facts.mode = S_IFREG | 0o755
        for (path, isRoots) in [
            ("/media/user/STICK/shop", false), ("/run/media/user/STICK/shop", false), ("/media", true),
            ("/mediawiki/shop", true), ("/nix/store/shop", true), ("/run/shop", true),
        ] {
            #expect(PathWalk.Point(path: path, facts: facts).isRootsAlone == isRoots, "\(path)")
        }
    }

    @Test("A relative link, and one that leads up, lead where the kernel would go")
    func relativeLinks() throws {
        try directory.write("a/b/file", "x")
        try #require(symlink("../a/b/../b/file", "\(directory.path)/a/link") == 0)
        let walk = try walk("\(directory.path)/a/link")
        #expect(walk.end.point.path == "\(directory.path)/a/b/file")
        #expect(walk.end.point.facts.inode == inode("\(directory.path)/a/b/file"))
        #expect(walk.directory.point.path == "\(directory.path)/a/b")
    }

    @Test("The file that was opened is read, whatever has its name by then")
    func replacedMeanwhile() throws {
        try directory.write("file", "old")
        try directory.write("other", "new")
        let walk = try walk("\(directory.path)/file")
        try #require(rename("\(directory.path)/other", "\(directory.path)/file") == 0)
        #expect(try walk.end.descriptor.openedForReading().read(atMost: 9) == Array("old".utf8))
    }

    @Test("A link of the kernel's into another process's root leads to the path in its text, in our own view")
    func processRoot() throws {
        let walk = try walk("/proc/self/root/usr/bin/env")
        #expect(walk.end.point.path == "/usr/bin/env")
        #expect(!walk.isRootsAlone || geteuid() == 0)
    }

    @Test("A missing file, a path through a file, and a circle are reported as such")
    func failures() throws {
        try directory.write("file", "x")
        try #require(symlink("b", "\(directory.path)/a") == 0 && symlink("a", "\(directory.path)/b") == 0)
        for (path, code) in [
            ("/nonexistent", ENOENT), ("\(directory.path)/file/x", ENOTDIR), ("\(directory.path)/a", ELOOP),
            ("/" + String(repeating: "x", count: 4096), ENAMETOOLONG),
            (String(repeating: "/.././usr", count: 300), ENAMETOOLONG), ("/usr\u{0}/bin", ENOENT),
        ] {
            #expect(throws: SystemCallFailure(code: code), "\(path.prefix(40))") { try walk(path) }
        }
    }

    @Test("Long links, each of thousands of components, cost no more than a few hundred components")
    func longLinks() throws {
        let turn = "d/../"
        mkdir("\(directory.path)/d", 0o755)
        for number in 0..<40 {
            let target = String(repeating: turn, count: 800) + (number == 39 ? "d" : "l\(number + 1)")
            try #require(symlink(target, "\(directory.path)/l\(number)") == 0)
        }
        func least(_ work: () throws -> Void) rethrows -> Duration {
            try (0..<5).map { _ in try ContinuousClock().measure(work) }.min() ?? .zero
        }
        let components = "\(directory.path)/" + String(repeating: turn, count: 100) + "d"
        let plain = try least { _ = try walk(components) }
        let linked = least {
            #expect(throws: SystemCallFailure(code: ENAMETOOLONG)) { try walk("\(directory.path)/l0") }
        }
        // All components of all links were three hundred times as many.
        #expect(linked < plain * 20, "\(linked), two hundred components \(plain)")
        // A chain of plain links is followed as far as the kernel would.
        for number in 0..<40 {
            let target = number == 39 ? "d" : "s\(number + 1)"
            try #require(symlink(target, "\(directory.path)/s\(number)") == 0)
        }
        #expect(try walk("\(directory.path)/s0").end.point.facts.isDirectory)
    }
}

@Suite(.blocking, .enabled(if: FuseFixture.isAvailable, "\(FuseFixture.need)"))
struct ServedPathTests {
    @Test("A walk that is not to enter what a program serves ends there at once, also when that program hangs")
    func stopsAtServed() throws {
        let served = try FuseFixture(files: [.init("file", Array("x".utf8))])
        try served.hang(Set(FuseFixture.Operation.allCases))
        for path in [served.path, served.path + "/file", served.path + "/file/../../.."] {
            #expect(throws: SystemCallFailure.served) { try PathWalk(to: path.utf8, entersServed: false) }
        }
        #expect(try served.release() == 0, "nothing was asked")
    }

    @Test("A walk that enters it reports that nothing in it is root's")
    func entersServed() throws {
        let served = try FuseFixture(files: [.init("file", Array("x".utf8))])
        let walk = try PathWalk(to: (served.path + "/file").utf8, entersServed: true)
        #expect(walk.end.point.facts.userID == 0 && walk.end.point.isServed)
        #expect(!walk.end.point.isRootsAlone)
        #expect(try walk.end.descriptor.openedForReading().read(atMost: 9) == Array("x".utf8))
        let back = try PathWalk(to: (served.path + "/..").utf8, entersServed: true)
        #expect(!back.end.point.isServed)
    }
}
