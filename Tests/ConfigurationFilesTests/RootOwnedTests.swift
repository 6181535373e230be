// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Glibc
import Testing

@Suite("Root's registrations and the user's", .enabled(if: isRoot, "needs root, to make files of several owners"))
struct RootOwnedTests {
    private static let user: UInt32 = 54_321
    private static let stranger: UInt32 = 54_322

    /// Under a directory that only root writes.
    private let directory: TemporaryDirectory
    private let system: String
    private let own: String

    init() throws {
        directory = try TemporaryDirectory(in: "/var/lib")
        chmod(directory.path, 0o755)
        system = directory.makeDirectory("system")
        own = directory.makeDirectory("own")
        chown(own, Self.user, Self.user)
    }

    private func add(_ text: String, to name: String, owner: UInt32 = 0) throws {
        let path = try directory.write(text, to: name)
        chown(path, owner, owner)
    }

    private func load() -> RegistrationCatalog {
        RegistrationDirectories([system, own], userID: Self.user).catalog
    }

    private let app = "org.example.A"

    @Test("A file of root's, whole path, is root's; a file of the user's is the user's")
    func owners() throws {
        try add(registration("org.example.A"), to: "system/org.example.A.json")
        try add(registration("org.example.B"), to: "own/org.example.B.json", owner: Self.user)
        #expect(load().registrations.map(\.origin.owner) == [.root, .user])
        #expect(load().problems.isEmpty)
    }

    @Test("Root's file in a directory of the user's is the user's")
    func rootInUsersDirectory() throws {
        try add(registration(app), to: "own/\(app).json")
        #expect(load().registrations.map(\.origin.owner) == [.user])
    }

    @Test("A user's file in root's directory is the user's, and joins no group")
    func userInRootsDirectory() throws {
        let groups = #"{"keychain-access-groups": ["org.example.suite"]}"#
        try add(registration(app, entitlements: groups), to: "system/\(app).json", owner: Self.user)
        #expect(load().problems.flatMap(\.mistakes).map(\.path) == [#"entitlements."keychain-access-groups"[0]"#])
        chown("\(system)/\(app).json", 0, 0)
        #expect(load().registrations.map(\.origin.owner) == [.root])
    }

    @Test("A stranger's file or directory is refused")
    func stranger() throws {
        try add(registration(app), to: "own/\(app).json", owner: Self.stranger)
        #expect(load().problems.map(\.file) == ["\(own)/\(app).json"])
        chown("\(own)/\(app).json", Self.user, Self.user)
        #expect(load().problems.isEmpty)
        chown(own, Self.stranger, Self.stranger)
        #expect(load().problems.map(\.file) == [own])
    }

    @Test("Root's shadows the user's, whichever directory is last")
    func shadowing() throws {
        try add(registration(app, name: "Root's"), to: "system/\(app).json")
        try add(registration(app, name: "User's"), to: "own/\(app).json", owner: Self.user)
        for paths in [[system, own], [own, system]] {
            let catalog = RegistrationDirectories(paths, userID: Self.user).catalog
            #expect(catalog.registrations.map(\.name.text) == ["Root's"])
            #expect(catalog.shadowed.map(\.file) == ["\(own)/\(app).json"])
            #expect(catalog.shadowed.map(\.by) == ["\(system)/\(app).json"])
        }
    }

    @Test("Root's broken file is not replaced by a user's")
    func brokenRootFile() throws {
        try add("broken", to: "system/\(app).json")
        try add(registration(app), to: "own/\(app).json", owner: Self.user)
        let catalog = load()
        #expect(catalog.registrations.isEmpty)
        #expect(catalog.problems.map(\.file) == ["\(system)/\(app).json"])
        #expect(catalog.shadowed.map(\.file) == ["\(own)/\(app).json"])
    }

    @Test("A path that the group can write is not root's, unless the group is the user's own")
    func groups() throws {
        try add(registration(app), to: "system/\(app).json")
        chmod(system, 0o775)
        #expect(load().problems.map(\.file) == [system])
        chown(system, 0, Self.user)
        #expect(load().registrations.map(\.origin.owner) == [.user])
        chmod(system, 0o755)
        #expect(load().registrations.map(\.origin.owner) == [.root])
    }

    @Test("A link of root's to a user's file makes nothing root's")
    func links() throws {
        try add(registration(app), to: "own/file", owner: Self.user)
        symlink("\(own)/file", "\(system)/\(app).json")
        #expect(load().registrations.map(\.origin.owner) == [.user])
        chown("\(own)/file", 0, 0)
        #expect(load().registrations.map(\.origin.owner) == [.user])
        chown(own, 0, 0)
        #expect(load().registrations.map(\.origin.owner) == [.root])
    }

    @Test("A changed owner is noticed")
    func ownerChange() throws {
        try add(registration(app), to: "system/\(app).json")
        var directories = RegistrationDirectories([system], userID: Self.user)
        #expect(directories.catalog.registrations.map(\.origin.owner) == [.root])
        chown(directory.path, Self.user, 0)
        expectChange(in: &directories)
        #expect(directories.catalog.registrations.map(\.origin.owner) == [.user])
    }
}
