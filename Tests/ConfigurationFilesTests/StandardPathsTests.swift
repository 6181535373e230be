// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import Testing

@Suite("Standard paths")
struct StandardPathsTests {
    @Test("HOME is enough for all but the socket")
    func home() throws {
        let paths = StandardPaths(environment: ["HOME": "/home/anna"])
        #expect(try paths.dataDirectory == "/home/anna/.local/share/autofilld")
        #expect(try paths.settings == "/home/anna/.config/autofilld/settings.json")
        #expect(
            try paths.registrationDirectories == [
                "/usr/share/autofilld/apps", "/usr/local/share/autofilld/apps", "/etc/autofilld/apps",
                "/home/anna/.local/share/autofilld/apps",
            ])
        #expect(throws: StandardPathsError.noRuntimeDirectory) { try paths.socket }
    }

    @Test("Files of packages are read first, then those of a local installation, then the administrator's")
    func systemFiles() {
        #expect(
            StandardPaths.systemDelegates == [
                "/usr/share/autofilld/delegates", "/usr/local/share/autofilld/delegates", "/etc/autofilld/delegates",
            ])
        #expect(
            StandardPaths.systemSecretFamilies == [
                "/usr/share/autofilld/secret-families", "/usr/local/share/autofilld/secret-families",
                "/etc/autofilld/secret-families",
            ])
    }

    @Test("The XDG variables override HOME, where they are absolute")
    func variables() throws {
        let environment = [
            "HOME": "/home/anna", "XDG_DATA_HOME": "/data/", "XDG_CONFIG_HOME": "config",
            "XDG_RUNTIME_DIR": "/run/user/7",
        ]
        let paths = StandardPaths(environment: environment)
        #expect(try paths.dataDirectory == "/data/autofilld")
        #expect(try paths.settings == "/home/anna/.config/autofilld/settings.json")
        #expect(try paths.socket == "/run/user/7/autofilld/socket")
        #expect(try StandardPaths(environment: ["XDG_DATA_HOME": "/data"]).dataDirectory == "/data/autofilld")
    }

    @Test("A data directory that is named contains vault and registrations")
    func dataDirectory() throws {
        let paths = StandardPaths(environment: ["XDG_DATA_HOME": "/data"], dataDirectory: "/tmp/x/")
        #expect(try paths.dataDirectory == "/tmp/x")
        #expect(try paths.userRegistrations == "/tmp/x/apps")
    }

    @Test("Without HOME a path that needs it has an error, and the others have none")
    func noHome() throws {
        let paths = StandardPaths(environment: ["XDG_RUNTIME_DIR": "/run/user/7", "HOME": ""])
        #expect(throws: StandardPathsError.noHome) { try paths.dataDirectory }
        #expect(throws: StandardPathsError.noHome) { try paths.settings }
        #expect(try paths.socket == "/run/user/7/autofilld/socket")
        #expect(try StandardPaths(environment: ["HOME": "/"]).dataDirectory == "/.local/share/autofilld")
    }

    @Test("A named socket overrides the default, must be absolute, and must fit a socket's address")
    func socket() throws {
        func socket(_ name: String) throws -> String {
            try StandardPaths(environment: ["AUTOFILLD_SOCKET": name, "XDG_RUNTIME_DIR": "/run/user/7"]).socket
        }
        #expect(try socket("/tmp/s") == "/tmp/s")
        #expect(try socket("") == "/run/user/7/autofilld/socket")
        #expect(throws: StandardPathsError.relativeSocket("tmp/s")) { try socket("tmp/s") }
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(try socket(longest) == longest)
        #expect(throws: StandardPathsError.socketTooLong(longest + "x")) { try socket(longest + "x") }
    }
}
