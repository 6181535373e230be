// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SyncCarrier
import Testing

@Suite("carrier.json")
struct CarrierConfigurationTests {
    private static let own =
        #","group":"0123456789abcdef0123456789abcdef","device":"fedcba9876543210fedcba9876543210"}"#

    private func read(_ text: String) throws(CarrierConfigurationError) -> CarrierConfiguration {
        try CarrierConfiguration(Array(text.utf8))
    }

    @Test("A folder is read, with a group and a device or without both")
    func folder() throws {
        let waiting = try read(#"{"format":1,"location":{"type":"folder","path":"/home/ann/Sync"}}"#)
        #expect(waiting.location == .folder("/home/ann/Sync") && waiting.own == nil)
        let joined = try read(#"{"format":1,"location":{"type":"folder","path":"/s"}"# + Self.own)
        #expect(joined.own?.group == "0123456789abcdef0123456789abcdef")
        #expect(joined.own?.device == "fedcba9876543210fedcba9876543210")
    }

    @Test(
        "Remotes of git by path, ssh and https are read",
        arguments: [
            "/srv/repo.git", "file:///srv/repo.git", "ssh://git@host.example/repo.git", "https://host.example/r.git",
            "git@host.example:repo.git", "host:repo.git", "ssh://git@[::1]:2222/repo.git", "[::1]:repo.git",
        ])
    func git(url: String) throws {
        let read = try read(#"{"format":1,"location":{"type":"git","url":"\#(url)"}"# + Self.own)
        #expect(read.location == .git(try GitLocation(url)))
    }

    @Test(
        "What git would run as a command or read as an option is refused",
        arguments: [
            "ext::sh -c id", "::x", "ext::ssh://host/r.git", "fd::3", "-uevil", "--upload-pack=evil",
            "ftp://host/r.git",
            "ssh://-oProxyCommand=x/r", "relative/path", "", "git://host/r.git", "a/b:c", "ssh:///r.git",
        ])
    func hostileURL(url: String) {
        #expect(throws: GitLocationError.notAllowed) { () throws(GitLocationError) in try GitLocation(url) }
    }

    @Test("A URL with a password is refused, and no error contains it")
    func password() {
        for url in ["https://ann:hunter2@host.example/r.git", "ssh://ann:hunter2@host/r"] {
            let error = #expect(throws: CarrierConfigurationError.self) {
                try read(#"{"format":1,"location":{"type":"git","url":"\#(url)"}}"#)
            }
            #expect(error == .url(.hasPassword))
            #expect(error.map { "\($0)".contains("hunter2") } == false)
        }
    }

    @Test(
        "Whatever is malformed, or of a newer format, is refused",
        arguments: [
            "", "{}", "[]", #"{"format":1}"#, #"{"format":2,"location":{"type":"folder","path":"/s"}}"#,
            #"{"format":1,"location":{"type":"folder","path":"s"}}"#, #"{"format":1,"location":{"type":"other"}}"#,
            #"{"format":1,"location":{"type":"folder","path":"/s"},"group":"0123456789abcdef0123456789abcdef"}"#,
            #"{"format":1,"location":{"type":"folder","path":"/s"},"group":"../..","device":"../.."}"#,
            #"{"format":1,"format":1,"location":{"type":"folder","path":"/s"}}"#,
            #"{"format":1,"location":{"type":"folder","path":"/\u0000"}}"#,
        ])
    func malformed(text: String) {
        #expect(throws: CarrierConfigurationError.self) { try read(text) }
    }
}
