// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import PeerInspection
import TestGround
import Testing

@Suite struct RegisteredExecutableTests {
    private let inspector = KernelPath.pidfd.inspector()

    @Test("A program of the system's is root's alone, also by way of root's symbolic links")
    func system() throws {
        let found = inspector.registered(["/usr/bin/env", "/bin/env", "/usr/../usr/./bin/env"])
        for executable in found {
            #expect(executable.isRootOwned)
            #expect(executable.identity == found[0].identity)
            #expect(!executable.isScript)
            // What the kernel calls it, whatever it was registered as.
            #expect(executable.target == found[0].target)
        }
        #expect(found[0].identity != nil)
    }

    @Test("A symbolic link in a directory that others may write to is not root's, wherever it leads")
    func linkOfAUser() throws {
        let listener = try TestListener()
        let link = "\(listener.directory)/env"
        try #require(symlink("/usr/bin/env", link) == 0)
        let found = inspector.registered([link, "/usr/bin/env"])
        #expect(found[0].identity == found[1].identity)
        #expect(!found[0].isRootOwned)
        #expect(found[0].path == link && found[0].target == found[1].target)
    }

    @Test("What is missing, a directory, relative or a circle of links is no executable")
    func nothingThere() throws {
        let listener = try TestListener()
        try #require(symlink("\(listener.directory)/b", "\(listener.directory)/a") == 0)
        try #require(symlink("\(listener.directory)/a", "\(listener.directory)/b") == 0)
        for executable in inspector.registered(["/nonexistent", "/usr", "usr/bin/env", "", "\(listener.directory)/a"]) {
            #expect(executable.identity == nil, "\(executable.path)")
            #expect(!executable.isRootOwned)
        }
    }

    @Test("A script and an AppImage are recognised by their first bytes")
    func kinds() throws {
        let listener = try TestListener()
        let (script, image) = ("\(listener.directory)/script", "\(listener.directory)/image")
        try Data("#!/usr/bin/python3\n".utf8).write(to: URL(fileURLWithPath: script))
        try Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0x41, 0x49, 2, 0]).write(to: URL(fileURLWithPath: image))
        let found = inspector.registered([script, image])
        #expect(found.map(\.isScript) == [true, false])
        #expect(found.map(\.isAppImage) == [false, true])
    }

    @Test("A file is read once any later change leaves another time than the last one did")
    func timeOfChange() throws {
        let directory = try TemporaryDirectory()
        try directory.write("shop", "x")
        let content = try #require(inspector.content(ofFileAt: directory.path + "/shop", upTo: 100))
        var clock = timespec()
        try #require(clock_gettime(CLOCK_REALTIME, &clock) == 0)
        let now = Int64(clock.tv_sec) * 1_000_000_000 + Int64(clock.tv_nsec)
        #expect(now >= content.version.changed + 20_000_000)
    }
}
