// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import Foundation
import Support
import TestGround
import Testing

@Suite("The credential helpers against the daemon", .blocking, .timeLimit(.minutes(10)))
struct HelperProgramTests {
    private static let host = "protocol=https\nhost=git.example\n"

    @Test("git's helper stores, returns and erases; an erase with another password erases nothing")
    func git() throws {
        let stage = try HelperStage()
        #expect(try stage.run(.git, ["get"], input: Self.host).output == "")
        let stored = try stage.run(.git, ["store"], input: Self.host + "username=ann\npassword=s3cr3t=\n")
        #expect(stored.status == 0 && stored.output == "", "\(stored.output)")
        #expect(try stage.run(.git, ["get"], input: Self.host).output == "username=ann\npassword=s3cr3t=\n")
        #expect(try stage.run(.git, ["get"], input: Self.host + "username=bob\n").output == "")
        #expect(try stage.run(.git, ["get"], input: "protocol=https\nhost=git.example:8443\n").output == "")
        #expect(try stage.run(.git, ["get"], input: Self.host + "path=a.git\n").output == "")
        #expect(try stage.run(.git, ["erase"], input: Self.host + "username=ann\npassword=other\n").output == "")
        #expect(try stage.run(.git, ["get"], input: Self.host).output == "username=ann\npassword=s3cr3t=\n")
        let erased = try stage.run(.git, ["erase"], input: Self.host + "username=ann\npassword=s3cr3t=\n")
        #expect(erased.status == 0 && erased.output == "", "\(erased.output)")
        #expect(try stage.run(.git, ["get"], input: Self.host).output == "")
    }

    @Test("git's expiry and refresh token are stored with the password, and deleted with the next one")
    func notes() throws {
        let stage = try HelperStage()
        let notes = "oauth_refresh_token=r3fresh\npassword_expiry_utc=4102444800\n"
        _ = try stage.run(.git, ["store"], input: Self.host + "username=ann\npassword=one\n" + notes)
        #expect(try stage.run(.git, ["get"], input: Self.host).output == "username=ann\npassword=one\n" + notes)
        _ = try stage.run(.git, ["store"], input: Self.host + "username=ann\npassword=two\n")
        #expect(try stage.run(.git, ["get"], input: Self.host).output == "username=ann\npassword=two\n")
    }

    @Test("docker's helper stores each address separately, lists them, and deletes the requested one")
    func docker() throws {
        let stage = try HelperStage()
        let address = "https://index.docker.io/v1/"
        func payload(_ server: String, _ user: String, _ secret: String) -> String {
            #"{"ServerURL":"\#(server)","Username":"\#(user)","Secret":"\#(secret)"}"#
        }
        for (server, user, secret) in [
            (address, "ann", "one"), (address + "access-token", "ann", "two"), ("localhost:5000", "bob", "three"),
        ] {
            let stored = try stage.run(.docker, ["store"], input: payload(server, user, secret))
            #expect(stored.status == 0 && stored.output == "", "\(stored.output)")
        }
        for (server, user, secret) in [(address, "ann", "one"), (address + "access-token", "ann", "two")] {
            #expect(
                try stage.run(.docker, ["get"], input: server + "\n").output == payload(server, user, secret) + "\n")
        }
        let missing = try stage.run(.docker, ["get"], input: address + "refresh-token")
        #expect(missing.status == 1 && missing.output == "credentials not found in native keychain\n")
        #expect(
            try stage.run(.docker, ["list"]).output
                == #"{"https://index.docker.io/v1/":"ann","https://index.docker.io/v1/access-token":"ann","localhost:5000":"bob"}"#
                + "\n")
        #expect(try stage.run(.docker, ["erase"], input: address).output == "")
        #expect(try stage.run(.docker, ["get"], input: address).status == 1)
        #expect(try stage.run(.docker, ["get"], input: address + "access-token").status == 0)
        #expect(try stage.run(.docker, ["list"]).output.contains(#"{"https://index.docker.io/v1/access-token""#))
    }

    @Test("A sign-in to a server as another user replaces the former user")
    func dockerUser() throws {
        let stage = try HelperStage()
        for (user, secret) in [("ann", "one"), ("bob", "two")] {
            _ = try stage.run(
                .docker, ["store"], input: #"{"ServerURL":"a:5000","Username":"\#(user)","Secret":"\#(secret)"}"#)
        }
        #expect(try stage.run(.docker, ["get"], input: "a:5000").output.contains(#""Username":"bob","Secret":"two""#))
        #expect(try stage.run(.docker, ["list"]).output == #"{"a:5000":"bob"}"# + "\n")
    }

    @Test("An erase also deletes the record of a password that was deleted in another way")
    func staleNote() throws {
        let stage = try HelperStage()
        for user in ["ann", "bob"] {
            _ = try stage.run(
                .docker, ["store"], input: #"{"ServerURL":"\#(user):5000","Username":"\#(user)","Secret":"one"}"#)
        }
        let user = try SocketConnection(to: stage.daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        let saved = try user.call("credential.list", ["proof": Examples.proof]).result?["credentials"]
        let credential = try #require((saved as? [[String: Any]])?.first { $0["user"] as? String == "ann" })
        let deleted = try user.call(
            "credential.delete", ["credential": credential["credential"] ?? "", "proof": Examples.proof])
        #expect(deleted.result?["changed"] as? Bool == true, "\(deleted)")
        #expect(try stage.run(.docker, ["list"]).output == #"{"ann:5000":"ann","bob:5000":"bob"}"# + "\n")
        _ = try stage.run(.docker, ["erase"], input: "ann:5000")
        #expect(try stage.run(.docker, ["list"]).output == #"{"bob:5000":"bob"}"# + "\n")
    }

    @Test("cargo's helper speaks line by line")
    func cargo() throws {
        let stage = try HelperStage()
        let registry = #""registry":{"index-url":"sparse+http://127.0.0.1:1/index/","name":"local"}"#
        let input = [
            #"{"v":1,"kind":"get","operation":"read",\#(registry)}"#,
            #"{"v":1,"kind":"login","token":"t0ken",\#(registry)}"#,
            #"{"v":1,"kind":"get","operation":"read",\#(registry)}"#, #"{"v":1,"kind":"logout",\#(registry)}"#,
            #"{"v":1,"kind":"logout",\#(registry)}"#,
        ].joined(separator: "\n")
        let run = try stage.run(.cargo, ["--cargo-plugin"], input: input + "\n")
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                #"{"v":[1]}"#, #"{"Err":{"kind":"not-found"}}"#, #"{"Ok":{"kind":"login"}}"#,
                #"{"Ok":{"kind":"get","token":"t0ken","cache":"session","operation_independent":true}}"#,
                #"{"Ok":{"kind":"logout"}}"#, #"{"Err":{"kind":"not-found"}}"#,
            ])
    }

    @Test(
        "A locked vault, a no and no daemon: each tool gets what it has for that, at once, and the journal has the reason"
    )
    func refused() throws {
        let get = #"{"v":1,"kind":"get","operation":"read","registry":{"index-url":"a"}}"# + "\n"
        func expect(_ stage: HelperStage, _ reason: String, in variables: [String: String] = [:]) throws {
            let began = ContinuousClock.now
            func run(_ tool: HelperTool, _ arguments: [String], _ input: String) throws -> ForeignProgram {
                try ForeignProgram(
                    "\(stage.directory.path)/bin/\(tool.program)", arguments,
                    stage.variables.merging(variables) { $1 }, input: input)
            }
            let git = try run(.git, ["get"], Self.host)
            #expect(git.status == 0 && git.output.hasPrefix("git-credential-autofill: \(reason)"), "\(git.output)")
            #expect(git.output.split(separator: "\n").count == 1)
            let docker = try run(.docker, ["get"], "https://index.docker.io/v1/")
            #expect(docker.status == 1 && docker.output.hasPrefix(reason), "\(docker.output)")
            let cargo = try run(.cargo, ["--cargo-plugin"], get)
            #expect(
                cargo.status == 0 && cargo.output.contains(#"{"Err":{"kind":"other","message":"\#(reason)"#),
                "\(cargo.output)")
            // A prompt would be displayed for 120 seconds.
            #expect(ContinuousClock.now - began < .seconds(60))
        }
        let locked = try HelperStage(isLocked: true)
        try expect(locked, "The vault is locked")
        try locked.daemon.awaitLog(
            "Refused credential.get of app bundleID: org.git-scm.git due to error: The vault is locked")
        let refused = try HelperStage(consent: "deny")
        try expect(refused, "The user refused")
        try refused.daemon.awaitLog("app bundleID: org.git-scm.git due to error: The user refused")
        try expect(locked, "autofilld is not installed", in: ["AUTOFILLD_SOCKET": "/none"])
        try expect(locked, "There is no login session", in: ["AUTOFILLD_SOCKET": "", "XDG_RUNTIME_DIR": ""])
    }

    @Test("A check reports whether everything works, without a prompt")
    func check() throws {
        let well = try HelperStage(consent: "deny").run(.git, ["--check"])
        #expect(
            well.status == 0 && well.output.hasPrefix(#"{"bundleID":"org.git-scm.git","assurance":"claimed""#),
            "\(well.output)")
        let locked = try HelperStage(isLocked: true).run(.docker, ["--check"])
        #expect(
            locked.status == 1 && locked.output.contains(#""vault":"locked","delegate":false}"#), "\(locked.output)")
    }
}
