// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The real daemon, the real `autofill-associations`, and real TLS sites on this machine.
@Suite("The daemon and the sites", .serialized, .blocking, .enabled(if: isPythonThere, "needs python3"))
struct SiteAssociationTests {
    private static let app = "org.example.Shop"
    private static let names = [
        "shop", "statements", "both", "text", "exact", "unlisted", "broken", "moved", "huge", "endless", "short",
        "double",
        "html", "shapeless", "spoken", "expired", "wrong-name", "unknown", "slow",
    ]

    /// A daemon whose app declares all these sites, and needs their statements.
    private final class Stage {
        let folder: String
        let sites: TestSites
        let daemon: DaemonProcess
        let app: SocketConnection

        init(mode: String = "", testAllModes: Bool = true, timeLimit: Int? = nil) throws {
            folder = try TestFiles.folder()
            sites = try TestSites()
            let entries = SiteAssociationTests.names.map { "\"webcredentials:\($0).example.com\(mode)\"" }
            let text = """
                {"bundleID": "\(SiteAssociationTests.app)", "name": "Sites", "entitlements": {
                "com.apple.developer.associated-domains": [\(entries.joined(separator: ","))],
                "com.apple.developer.authentication-services.autofill-credential-provider": true}}
                """
            try #require(
                FileManager.default.createFile(
                    atPath: "\(folder)/\(SiteAssociationTests.app).json", contents: Data(text.utf8),
                    attributes: [.posixPermissions: 0o644]))
            try sites.serveAssociations(at: folder + "/a", testAllModes: testAllModes, timeLimit: timeLimit)
            daemon = try DaemonProcess(registrations: folder, arguments: ["--associations", folder + "/a"])
            app = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
            try app.hello(SiteAssociationTests.app)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func refresh(_ name: String) throws -> TestAnswer {
            try app.call("admin.domain.refresh", ["domain": "\(name).example.com"])
        }

        func save(_ name: String) throws -> TestAnswer {
            try app.call(
                "credential.save",
                [
                    "service": ["type": "domain", "value": "\(name).example.com"], "user": "ann",
                    "password": "secret",
                ])
        }
    }

    @Test("The behaviour of each site is reported, and only a site that lists the app makes its domain the app's")
    func everySite() throws {
        let stage = try Stage()
        for (name, state, failure, status) in [
            ("shop", "approved", nil, 200), ("statements", "approved", "status", 404), ("both", "approved", nil, 200),
            ("text", "approved", nil, 200), ("exact", "approved", nil, 200), ("unlisted", "notListing", nil, 200),
            ("broken", "failed", "status", 500), ("moved", "failed", "redirected", 301),
            ("huge", "failed", "too-large", 200), ("endless", "failed", "too-large", 200),
            ("short", "failed", "http-invalid", 200), ("double", "failed", "http-invalid", nil),
            ("html", "failed", "not-json", 200), ("shapeless", "failed", "not-an-association", 200),
            ("spoken", "failed", "http-invalid", nil), ("expired", "failed", "certificate-invalid", nil),
            ("wrong-name", "failed", "certificate-name-wrong", nil), ("unknown", "failed", "certificate-invalid", nil),
        ] as [(String, String, String?, Int?)] {
            let answer = try stage.refresh(name)
            #expect(answer.text("siteState") == state, "\(name): \(answer)")
            let file = (answer.result?["files"] as? [[String: Any]])?.first
            #expect(file?["failure"] as? String == failure, "\(name): \(answer)")
            #expect(file?["status"] as? Int == status, "\(name)")
            #expect(answer.result?["approved"] as? Bool == (state == "approved"), "\(name)")
            #expect(answer.result?["fetched"] is String == (state != "failed"), "\(name)")
            #expect(answer.result?["lastAttempt"] is String, "\(name)")
            let expected = ["approved": [], "notListing": ["site-not-listing"], "failed": ["site-fetch-failed"]][state]
            #expect(try stage.save(name).reasons == expected, "\(name)")
        }
    }

    @Test("A fetch from a site that never ends is given up, and the failure is reported")
    func slowSite() throws {
        let stage = try Stage(timeLimit: 200)
        let answer = try stage.refresh("slow")
        #expect(answer.text("siteState") == "failed")
        let files = answer.result?["files"] as? [[String: Any]]
        #expect(files?.map { $0["failure"] as? String } == ["timed-out", "timed-out"])
    }

    @Test("The first request after hello waits for the site, and is served")
    func waits() throws {
        let stage = try Stage()
        #expect(try stage.save("both").result?["changed"] as? Bool == true)
    }

    @Test("In developer mode the test authority counts, and the user has to approve; elsewhere it does not count")
    func developerMode() throws {
        let developers = try Stage(mode: "?mode=developer", testAllModes: false)
        let answer = try developers.refresh("shop")
        #expect(answer.text("siteState") == "approved")
        #expect(answer.text("userState") == "needed")
        #expect(try developers.save("shop").reasons == ["approval-missing"])
        try developers.app.call(
            "admin.domain.approve",
            ["bundleID": Self.app, "domain": "shop.example.com", "proof": Examples.proof])
        #expect(try developers.save("shop").result?["changed"] as? Bool == true)
    }

    @Test("Without autofill-associations every site fails, and the reason states what is missing")
    func noProgram() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try DaemonProcess(arguments: ["--associations", folder + "/nobody"])
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        let answer = try app.call("admin.domain.refresh", ["domain": "shop.example.com"])
        let file = (answer.result?["files"] as? [[String: Any]])?.first
        #expect(file?["failure"] as? String == "unavailable")
        let refused = try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "secret"])
        #expect(refused.reasons == ["site-fetch-failed"])
    }

    @Test("A daemon that waits for a site ends at once after SIGTERM, and answers stopping")
    func stops() throws {
        let stage = try Stage()
        let request = """
            {"jsonrpc":"2.0","id":"w","method":"admin.domain.refresh","params":{"domain":"slow.example.com"}}
            """
        try stage.app.send(request)
        // A second answer on this connection: the first request has been accepted.
        #expect(try stage.app.call("status").result != nil)
        #expect(stage.daemon.terminate() == 0)
        #expect(try stage.app.line().contains("\"stopping\""))
    }
}

private let isPythonThere = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
}
