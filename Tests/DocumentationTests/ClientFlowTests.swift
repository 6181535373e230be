// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// Three clients, each in another language and written from protocol.md alone: Tests/DocumentationTests/Flows.
@Suite("Clients written from protocol.md", .blocking, .timeLimit(.minutes(10)))
struct ClientFlowTests {
    private static let folder = TestFiles.root + "Tests/DocumentationTests/Flows/"

    @Test(
        "In Python's asyncio an app signs up, signs in the next day, and changes the password",
        .enabled("python3 is not installed") { ForeignProgram.isInstalled("python3") })
    func python() throws { try check(["python3", Self.folder + "flows.py"]) }

    @Test(
        "In JavaScript an app signs up, signs in the next day, and changes the password",
        .enabled("node is not installed: apt-get install nodejs") { ForeignProgram.isInstalled("node") })
    func javaScript() throws { try check(["node", Self.folder + "flows.mjs"]) }

    @Test(
        "In C an app signs up, signs in the next day, and changes the password",
        .enabled("cc is not installed: apt-get install gcc") { ForeignProgram.isInstalled("cc") })
    func c() throws {
        let directory = try TemporaryDirectory()
        let program = directory.path + "/flows"
        let options = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-o", program]
        let build = try ForeignProgram("cc", options + [Self.folder + "flows.c"])
        try #require(build.status == 0, "\(build.output)")
        try check([program])
    }

    /// Each flow is a separate process; the final content of a form is what is saved.
    private func check(_ client: [String]) throws {
        let directory = try TemporaryDirectory()
        try directory.write("once", String(repeating: "* * once\n", count: 20))
        for consent in [["allow"], ["script", "--consent", directory.path + "/once"]] { try check(client, consent) }
    }

    private func check(_ client: [String], _ consent: [String]) throws {
        let daemon = try DaemonProcess(arguments: ["--consent"] + consent)
        func run(_ flow: String, at daemon: DaemonProcess) throws -> ForeignProgram {
            try ForeignProgram(client[0], client.dropFirst() + [flow], ["AUTOFILLD_SOCKET": daemon.socket])
        }
        func form(after flow: String) throws -> String {
            let run = try run(flow, at: daemon)
            try #require(run.status == 0 && run.output.hasPrefix("ann@example.com "), "\(flow): \(run.output)")
            return run.output
        }
        let first = try form(after: "signUp")
        #expect(try form(after: "signIn") == first)
        let second = try form(after: "changePassword")
        #expect(second != first)
        #expect(try form(after: "signIn") == second)
        // One account, with the second password: nothing was saved beside it.
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        let listed = try app.call(
            "credential.list", ["service": ["type": "domain", "value": "shop.example.com"]])
        #expect((listed.result?["credentials"] as? [Any])?.count == 1, "\(listed)")
        #expect(
            try app.call("offer.list").result.flatMap { $0["offers"] as? [Any] }?.isEmpty == true,
            "an offer is left over")
        // The app gets the user's denial, with its fix.
        let refused = try run("signIn", at: DaemonProcess(arguments: ["--consent", "deny"]))
        #expect(refused.status == 1 && refused.output.hasPrefix("Try again later"), "\(refused.output)")
    }
}
