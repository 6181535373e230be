// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Glibc
import Testing

@Suite("The user's own registrations")
struct UserRegistrationsTests {
    private let directory: TemporaryDirectory
    private let registrations: UserRegistrations
    private let apps: String

    init() throws {
        directory = try TemporaryDirectory()
        apps = "\(directory.path)/share/autofilld/apps"
        registrations = UserRegistrations(directory: apps, userID: geteuid())
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("A registered file is copied to the daemon's directory, readable by the user only, byte for byte")
    func register() throws {
        let text = registration("org.example.A") + "\n"
        let source = try directory.write(text, to: "draft.json")
        let (checked, change) = try registrations.register(source, refusing: nil)
        #expect(change == .added)
        #expect(checked.registration.origin == Registration.Origin(file: "\(apps)/org.example.A.json", owner: .user))
        #expect(mode(apps) == 0o700)
        #expect(mode("\(apps)/org.example.A.json") == 0o600)
        let catalog = RegistrationDirectories([apps], userID: geteuid()).catalog
        #expect(catalog.registrations == [checked.registration])
        #expect(try registrations.register(source, refusing: nil).change == .unchanged)
        try directory.write(registration("org.example.A", name: "Other"), to: "draft.json")
        #expect(try registrations.register(source, refusing: nil).change == .replaced)
    }

    @Test("An invalid file, or one that declares more than a user's may, is not copied")
    func refused() throws {
        let groups = #"{"keychain-access-groups": ["org.example.suite"]}"#
        for text in ["", "[]", registration("com.apple.Mail"), registration("org.example.A", entitlements: groups)] {
            let source = try directory.write(text, to: "draft.json")
            #expect(throws: ConfigurationFileProblem.self) { try registrations.register(source, refusing: nil) }
        }
        #expect(throws: ConfigurationFileProblem.self) {
            try registrations.register("\(directory.path)/none", refusing: nil)
        }
        #expect(access(apps, F_OK) != 0)
    }

    @Test("A directory that cannot be made or written is a problem with the path, and leaves no draft behind")
    func unwritable() throws {
        let source = try directory.write(registration("org.example.A"), to: "draft.json")
        try directory.write("", to: "share")
        let problem = #expect(throws: ConfigurationFileProblem.self) {
            try registrations.register(source, refusing: nil)
        }
        #expect(problem?.file == "\(apps)/org.example.A.json")
        unlink("\(directory.path)/share")
        _ = try directory.write("", to: "share/autofilld/apps/org.example.A.json/x")
        #expect(throws: ConfigurationFileProblem.self) { try registrations.register(source, refusing: nil) }
        #expect(RegistrationDirectories([apps], userID: geteuid()).catalog.registrations.isEmpty)
        #expect(unlink("\(apps)/org.example.A.json/x") == 0 && rmdir("\(apps)/org.example.A.json") == 0)
        #expect(rmdir(apps) == 0)
    }

    @Test("A registration is removed once")
    func remove() throws {
        let app = try BundleIdentifier("org.example.A")
        #expect(try !registrations.remove(app))
        _ = try registrations.register(
            try directory.write(registration("org.example.A"), to: "draft.json"), refusing: nil)
        #expect(try registrations.remove(app))
        #expect(try !registrations.remove(app))
    }

    @Test("A file is checked as whosever it is to be, whatever its name")
    func check() throws {
        let groups = #"{"keychain-access-groups": ["org.example.suite"]}"#
        let file = try directory.write(registration("org.example.A", entitlements: groups), to: "draft")
        #expect(
            try RegistrationFile.check(file, as: .root, refusing: nil).registration.bundleID.text == "org.example.A")
        #expect(throws: ConfigurationFileProblem.self) { try RegistrationFile.check(file, as: .user, refusing: nil) }
    }
}
