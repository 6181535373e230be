// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "The Secret Service with real programs", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct SecretToolTests {
    @Test("secret-tool stores, looks up, replaces, searches and clears; the bus starts the bridge")
    func lifecycle() throws {
        let stage = try SecretStage()
        func tool(_ arguments: String, input: String = "") throws -> ForeignProgram {
            try stage.run(script: "tool.sh", "exec secret-tool \(arguments)", input: input)
        }
        #expect(try tool("lookup user ann").status == 1, "there is nothing yet")
        let stored = try tool("store --label='A mail' user ann host mail.example", input: "s3cr3t")
        #expect(stored.status == 0 && stored.output == "", "\(stored.output)\(stage.log)\(stage.daemon.log())")
        #expect(try tool("lookup user ann host mail.example").output == "s3cr3t")
        #expect(try tool("lookup user ann").output == "s3cr3t")
        #expect(try tool("lookup user bob").status == 1)
        #expect(try tool("store --label='A mail' user ann host mail.example", input: "changed").status == 0)
        let found = try tool("search --all user ann").output
        #expect(found.components(separatedBy: "label = A mail").count == 2, "\(found)")
        #expect(found.contains("secret = changed") && found.contains("attribute.host = mail.example"), "\(found)")
        #expect(!found.contains("created = 1970"), "\(found)")
        #expect(try tool("clear user ann").status == 0)
        #expect(try tool("lookup user ann").status == 1)
    }

    @Test("Objects describe themselves, and wrong calls are refused with D-Bus's errors")
    func introspection() throws {
        let stage = try SecretStage()
        let service = try stage.run([
            "busctl", "--user", "introspect", "org.freedesktop.secrets", "/org/freedesktop/secrets",
        ])
        for name in ["org.freedesktop.Secret.Service", ".OpenSession", ".Collections", ".CollectionCreated"] {
            #expect(service.output.contains(name), "\(service.output)")
        }
        let collections = try stage.run([
            "busctl", "--user", "get-property", "org.freedesktop.secrets", "/org/freedesktop/secrets",
            "org.freedesktop.Secret.Service", "Collections",
        ])
        #expect(
            collections.output
                == #"ao 2 "/org/freedesktop/secrets/collection/login" "/org/freedesktop/secrets/collection/session""#
                + "\n")
        let alias = try stage.call("", "Secret.Service", "ReadAlias", ["s", "default"])
        #expect(alias.output == #"o "/org/freedesktop/secrets/collection/login""# + "\n")
        #expect(try stage.call("", "Secret.Service", "ReadAlias", ["s", "other"]).output == #"o "/""# + "\n")
        for (path, interface, member, arguments, error) in [
            ("", "Secret.Service", "OpenSession", ["sv", "rot13", "s", ""], "The algorithms are"),
            (
                "", "Secret.Service", "OpenSession", ["sv", "dh-ietf1024-sha256-aes128-cbc-pkcs7", "ay", "1", "1"],
                "no public key"
            ),
            ("", "Secret.Service", "OpenSession", ["s", "plain"], "The arguments of OpenSession are"),
            ("", "Secret.Service", "Burn", [], "no method Burn"),
            ("", "Secret.Other", "Burn", [], "no interface"),
            ("/collection/none", "Secret.Collection", "SearchItems", ["a{ss}", "0"], "no object"),
            ("/session/s9", "Secret.Session", "Close", [], "no such session"),
            ("/prompt/p9", "Secret.Prompt", "Dismiss", [], "no object"),
            ("/collection/login/x", "Secret.Item", "Delete", [], "no object"),
            ("/collection/login", "Secret.Collection", "Delete", [], "is permanent"),
        ] {
            let run = try stage.call(path, interface, member, arguments)
            #expect(run.status != 0 && run.output.contains(error), "\(member): \(run.output)")
        }
    }

    @Test("Killed, the bridge is started again by the next call, and has what was stored")
    func killedBridge() throws {
        let stage = try SecretStage()
        _ = try stage.run(script: "a.sh", "printf s3cr3t | secret-tool store --label=x user ann")
        let bridge = try stage.bridge()
        try #require(bridge > 0)
        kill(bridge, SIGKILL)
        #expect(try stage.run(script: "a.sh", "secret-tool lookup user ann").output == "s3cr3t", "\(stage.log)")
        #expect(try stage.bridge() != bridge)
    }

    @Test(
        "Without a daemon each call fails at once with its fix, also in the journal; with a new daemon, calls succeed again"
    )
    func killedDaemon() throws {
        let stage = try SecretStage()
        #expect(try stage.call("", "Secret.Service", "ReadAlias", ["s", "default"]).status == 0)
        stage.daemon.kill9()
        let refused = try stage.lookup()
        #expect(refused.contains("autofilld is not running") && refused.contains("systemctl --user"), "\(refused)")
        #expect(
            stage.log.contains("autofilld is not running. Run: systemctl --user restart autofilld.socket"),
            "\(stage.log)")
        try stage.daemon.start()
        #expect(try stage.lookup() == "aoao 0 0")
    }
}
