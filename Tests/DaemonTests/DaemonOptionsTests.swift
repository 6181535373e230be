// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import autofilld

@Suite("The daemon's options")
struct DaemonOptionsTests {
    @Test(
        "Plain options are read as the command reads them, without it",
        arguments: [
            [], ["--ephemeral"], ["--socket", "/s"],
            ["--socket", "/s", "--ephemeral", "--settings", "/a", "--settings", "/b"],
            ["--data-directory", "/d", "--registrations", "/r", "--registrations", "/q", "--associations", "none"],
            ["--system-settings", "/y", "--vault-key", "/k"],
        ])
    func plain(arguments: [String]) throws {
        let plain = try #require(DaemonOptions(plain: arguments))
        #expect(try plain == DaemonCommand.parse(arguments).options)
    }

    @Test(
        "Options that need help, a refusal or parsing are handled by the command",
        arguments: [
            ["--help"], ["--version"], ["--socket"], ["--socket="], ["--socket=/s"], ["--socket", "--ephemeral"],
            ["--socket", ""],
            ["--sock", "/s"], ["-h"], ["serve"], ["--", "--ephemeral"], ["--ephemeral", "--consent", "script", "f"],
            ["--print-schema"], ["--print-catalog"], ["--registrations", "/r", "/q"],
        ])
    func others(arguments: [String]) { #expect(DaemonOptions(plain: arguments) == nil) }
}
