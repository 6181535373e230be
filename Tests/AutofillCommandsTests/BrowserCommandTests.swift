// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl browser", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct BrowserCommandTests {
    @Test("The files of a user's browsers are written once, listed by status, and removed again")
    func install() async throws {
        let home = try TemporaryDirectory()
        let environment = ["HOME": home.path, "XDG_DATA_HOME": home.path + "/share"]
        func run(_ arguments: String...) async throws -> CommandRun {
            try await CommandRun.of(["browser"] + arguments, environment: environment)
        }
        let files = [
            ".config/chromium/NativeMessagingHosts", ".config/google-chrome/NativeMessagingHosts",
            ".mozilla/native-messaging-hosts",
        ].map { "\(home.path)/\($0)/org.autofilld.browser.json" }
        let added = try await run("install")
        #expect(added.status == 0, "\(added.errors)")
        for file in files { #expect(added.output.contains("written: \(file)\n")) }
        #expect(try await run("install", "--json").output.contains(#""changed":false"#))
        try home.write(".mozilla/native-messaging-hosts/org.autofilld.browser.json", #"{"path": "/nowhere"}"#)
        let status = try await run("status", "--json", "--registrations", home.path)
        #expect(status.output.contains("org.autofilld.browser.json was not written by this version"))
        #expect(status.output.contains("autofill-browser is not registered"))
        // In Chrome only the user can load the extension.
        #expect(status.output.contains(#""manifest":"\#(files[1])","extension":null"#))
        #expect(try await run("uninstall").output.split(separator: "\n").count == 3)
        #expect(try await run("uninstall").output == "Nothing was installed.\n")
        let without = try await run("status", "--json", "--registrations", home.path)
        #expect(!without.output.contains(home.path + "/.mozilla"))
    }
}
