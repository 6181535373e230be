// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialHelpers
import SecretMemory
import Testing

@Suite("docker's helper")
struct DockerHelperTests {
    private func start(_ operation: String, _ input: String) throws -> HelperAction {
        try DockerHelper(arguments: [operation]).start(input)
    }

    @Test("A server is used byte for byte, except white space around it")
    func servers() throws {
        for server in [
            "https://index.docker.io/v1/", "https://index.docker.io/v1/access-token", "LOCALHOST:5000", "a b",
        ] {
            guard case .get(server, nil)? = try start("get", " \(server)\r\n").performed,
                case .erase(server, nil, nil)? = try start("erase", server).performed
            else { return #expect(Bool(false), "\(server)") }
        }
    }

    @Test("The texts that clients compare are printed literally, on standard output, with the exit status 1")
    func errors() throws {
        func expect(_ action: HelperAction, _ text: String) throws {
            let answer = try #require(action.answered)
            #expect(answer.text == text + "\n" && answer.status == 1 && answer.trouble == nil)
        }
        try expect(try start("get", " \n"), "no credentials server URL")
        try expect(try start("erase", ""), "no credentials server URL")
        try expect(try start("store", #"{"Username":"ann","Secret":"x"}"#), "no credentials server URL")
        try expect(try start("store", #"{"ServerURL":"a","Secret":"x"}"#), "no credentials username")
        try expect(try start("store", "ann:x"), "The credentials are not JSON")
        let get = try DockerHelper(arguments: ["get"])
        let task = HelperTask.get(url: "a", user: nil)
        try expect(get.next(after: task, .notFound), "credentials not found in native keychain")
        try expect(get.next(after: task, .failed(HelperTrouble("It is locked"))), "It is locked")
        #expect(throws: HelperTrouble("Unknown credential action `steal`")) { try DockerHelper(arguments: ["steal"]) }
        for arguments in [[], ["get", "a"]] {
            #expect(throws: HelperTrouble.self) { try DockerHelper(arguments: arguments) }
        }
    }

    @Test("What is stored and found keeps every character, quotes and signs of HTML included")
    func storeAndGet() throws {
        let payload = #"{"ServerURL":"https://a/v1/","Username":"<token>","Secret":"q\"\u003c&\\ 😀","More":[1]}"# + "\n"
        guard case .store("https://a/v1/", "<token>", let secret, let notes)? = try start("store", payload).performed
        else { return #expect(Bool(false)) }
        #expect(secret.text == #"q"<&\ 😀"# && notes.count == 0)
        let kept = StoredPassword(user: "<token>", password: secret)
        let get = try DockerHelper(arguments: ["get"])
        let answer = get.next(after: .get(url: "https://a/v1/", user: nil), .found(kept)).answered
        #expect(answer?.text == #"{"ServerURL":"https://a/v1/","Username":"<token>","Secret":"q\"<&\\ 😀"}"# + "\n")
        #expect(answer?.status == 0)
    }

    @Test("A list has the user of each server; an empty one is an object too")
    func list() throws {
        let helper = try DockerHelper(arguments: ["list"])
        guard case .list? = helper.start("").performed, !helper.readsInput else { return #expect(Bool(false)) }
        let locations = [
            StoredLocation(url: "b:5000", user: "bob"), StoredLocation(url: "https://a", user: "ann \"A\""),
        ]
        #expect(
            helper.next(after: .list, .listed(locations)).answered?.text
                == #"{"b:5000":"bob","https://a":"ann \"A\""}"# + "\n")
        #expect(helper.next(after: .list, .listed([])).answered?.text == "{}\n")
    }

    @Test("Erasing a password that is not stored succeeds")
    func erase() throws {
        let helper = try DockerHelper(arguments: ["erase"])
        let answer = helper.next(after: .erase(url: "a", user: nil, password: nil), .notFound).answered
        #expect(answer?.status == 0 && answer?.text == "")
    }

    @Test("Its version is the product's")
    func version() throws {
        #expect(
            try start("version", "").answered?.text
                == "docker-credential-autofill (autofilld) v\(ProductVersion.text)\n")
    }
}
