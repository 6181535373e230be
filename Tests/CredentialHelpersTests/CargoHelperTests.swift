// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import SecretMemory
import Testing

@Suite("cargo's helper")
struct CargoHelperTests {
    private static let url = "sparse+https://registry.example/index/"
    private static let registry =
        #""registry":{"index-url":"\#(url)","name":"mine","headers":["WWW-Authenticate: Cargo"]}"#

    private func helper() throws -> CargoHelper { try CargoHelper(arguments: ["--cargo-plugin"]) }

    private func failure(_ line: String) throws -> String? {
        var helper = try helper()
        return helper.start(line).answered?.text
    }

    @Test("It prints the supported versions, before it reads anything")
    func hello() throws {
        #expect(CargoHelper.hello.text == #"{"v":[1]}"# + "\n")
        #expect(throws: HelperTrouble.self) { try CargoHelper(arguments: []) }
    }

    @Test(
        "A token is given for every operation that there is, as one for all of them",
        arguments: ["read", "publish", "yank", "unyank", "owners"])
    func get(operation: String) throws {
        var helper = try helper()
        let line =
            #"{"v":1,"kind":"get","operation":"\#(operation)","name":"sample","vers":"0.1.0","cksum":"0",\#(Self.registry),"args":[]}"#
        let task = try #require(helper.start(line).performed)
        guard case .get(Self.url, CargoHelper.user) = task else { return #expect(Bool(false)) }
        let kept = StoredPassword(user: CargoHelper.user, password: SecretBytes(utf8: #"to"ken"#))
        #expect(
            helper.next(after: task, .found(kept)).answered?.text
                == #"{"Ok":{"kind":"get","token":"to\"ken","cache":"session","operation_independent":true}}"# + "\n")
        #expect(helper.next(after: task, .notFound).answered?.text == #"{"Err":{"kind":"not-found"}}"# + "\n")
        #expect(
            helper.next(after: task, .failed(HelperTrouble("It is locked"))).answered?.text
                == #"{"Err":{"kind":"other","message":"It is locked","caused-by":[]}}"# + "\n")
    }

    @Test("Unknown operations are reported as not supported")
    func unknown() throws {
        let unsupported = #"{"Err":{"kind":"operation-not-supported"}}"# + "\n"
        #expect(try failure(#"{"v":1,"kind":"get","operation":"mirror",\#(Self.registry)}"#) == unsupported)
        #expect(try failure(#"{"v":1,"kind":"rotate",\#(Self.registry)}"#) == unsupported)
        #expect(try failure(#"{"v":2,"kind":"logout",\#(Self.registry)}"#)?.contains("Only version 1") == true)
        #expect(try failure(#"{"v":1,"kind":"logout"}"#) == #"{"Err":{"kind":"url-not-supported"}}"# + "\n")
        let long = String(repeating: "a", count: 2049)
        #expect(
            try failure(#"{"v":1,"kind":"logout","registry":{"index-url":"\#(long)"}}"#)?.hasPrefix(
                #"{"Err":{"kind":"url-not-supported""#) == true)
        #expect(try failure("hello")?.contains(#""kind":"other""#) == true)
    }

    @Test("A login stores the token in the request, else the one that the user types")
    func login() throws {
        var helper = try helper()
        let brought = helper.start(#"{"v":1,"kind":"login",\#(Self.registry),"token":"t0ken"}"#)
        guard case .store(Self.url, CargoHelper.user, let token, _)? = brought.performed else {
            return #expect(Bool(false))
        }
        #expect(token.text == "t0ken")
        #expect(
            helper.next(after: try #require(brought.performed), .done).answered?.text == #"{"Ok":{"kind":"login"}}"#
                + "\n")

        let asking = helper.start(#"{"v":1,"kind":"login",\#(Self.registry),"token":null,"login-url":"https://a/me"}"#)
        guard case .ask("Token from https://a/me: ")? = asking.performed else { return #expect(Bool(false)) }
        let typed = helper.next(after: try #require(asking.performed), .typed(SecretBytes(utf8: "typed")))
        guard case .store(Self.url, CargoHelper.user, let second, _)? = typed.performed else {
            return #expect(Bool(false))
        }
        #expect(second.text == "typed")
        let empty = helper.next(after: try #require(asking.performed), .typed(SecretBytes(utf8: "")))
        #expect(empty.answered?.text.contains("The token is empty") == true)
        guard case .ask("Token from mine: ")? = helper.start(#"{"v":1,"kind":"login",\#(Self.registry)}"#).performed
        else { return #expect(Bool(false)) }
    }

    @Test("A logout erases, and reports if nothing was stored")
    func logout() throws {
        var helper = try helper()
        let task = try #require(helper.start(#"{"v":1,"kind":"logout",\#(Self.registry)}"#).performed)
        guard case .erase(Self.url, CargoHelper.user, nil) = task else { return #expect(Bool(false)) }
        #expect(helper.next(after: task, .done).answered?.text == #"{"Ok":{"kind":"logout"}}"# + "\n")
        #expect(helper.next(after: task, .notFound).answered?.text == #"{"Err":{"kind":"not-found"}}"# + "\n")
    }
}
