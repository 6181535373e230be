// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import Testing

@Suite("What an app wrote before is its own")
struct StandingTests {
    private static func subject(_ assurance: String, _ executable: String, app: String = "org.example.Shop") -> Subject
    {
        Subject(app: app, assurance: assurance, executable: executable)
    }

    @Test("What an interpreter's app wrote in an earlier login is its own only where it is known at least as well")
    func laterLogin() {
        let now = Self.subject("attributed", "login:boot/2")
        #expect(now.isLaterLogin(of: Self.subject("attributed", "login:boot/1")))
        #expect(now.isLaterLogin(of: Self.subject("claimed", "via:/usr/libexec/front login:boot/1")))
        #expect(!now.isLaterLogin(of: Self.subject("installed", "login:boot/1")))
        #expect(!now.isLaterLogin(of: Self.subject("attributed", "login:boot/1", app: "org.example.Other")))
        #expect(!now.isLaterLogin(of: Self.subject("attributed", "path:/usr/bin/shop")))
        #expect(!Self.subject("attributed", "path:/usr/bin/shop").isLaterLogin(of: now))
    }
}
