// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import SecretMemory
import Testing

@Suite("git's helper")
struct GitHelperTests {
    private static let now: Int64 = 1_700_000_000

    private func start(_ operation: String, _ input: String, options: [String] = []) throws -> HelperAction {
        try GitHelper(arguments: options + [operation]).start(input, now: Self.now)
    }

    private func description(_ text: String) throws -> GitDescription {
        var text = text
        return try text.withUTF8 { bytes throws(HelperTrouble) in try GitDescription(UnsafeRawBufferPointer(bytes)) }
    }

    @Test(
        "A URL is scheme, host, port and path, where each was sent",
        arguments: [
            ("protocol=https\nhost=git.example\n", "https://git.example"),
            ("protocol=https\nhost=Git.Example:443\n", "https://git.example"),
            ("protocol=HTTP\nhost=git.example:80\n", "http://git.example"),
            ("protocol=https\nhost=git.example:80\n", "https://git.example:80"),
            ("protocol=https\nhost=git.example:8443\npath=a/B.git\n", "https://git.example:8443/a/B.git"),
            ("protocol=https\nhost=[::1]:8443\n", "https://[::1]:8443"),
            ("protocol=smtp\nhost=mail.example:587\n", "smtp://mail.example:587"),
            ("protocol=cert\nhost=\npath=home/ann/key\n", "cert:///home/ann/key"),
        ])
    func urls(input: String, url: String) throws {
        #expect(try description(input).url == url)
    }

    @Test("What names no URL, or no user and password to store, is passed over silently")
    func incomplete() throws {
        for (operation, input) in [
            ("get", ""), ("get", "host=git.example\n"), ("get", "protocol=https\n"),
            ("store", "protocol=https\nhost=a\n"),
            ("store", "protocol=https\nhost=a\nusername=ann\n"), ("store", "protocol=https\nhost=a\npassword=x\n"),
        ] {
            let answer = try #require(start(operation, input).answered)
            #expect(answer.text.isEmpty && answer.trouble == nil && answer.status == 0, "\(operation) \(input)")
        }
    }

    @Test("An unknown operation is ignored silently; an unknown option is not")
    func unknown() throws {
        let helper = try GitHelper(arguments: ["approve-all"])
        #expect(!helper.readsInput)
        let answer = try #require(helper.start("", now: 0).answered)
        #expect(answer.text.isEmpty && answer.trouble == nil && answer.status == 0)
        #expect(throws: HelperTrouble.self) { try GitHelper(arguments: ["--colour", "get"]) }
        #expect(throws: HelperTrouble.self) { try GitHelper(arguments: ["--timeout=0", "get"]) }
    }

    @Test("It announces no capability")
    func capability() throws {
        #expect(try start("capability", "").answered?.text == "version 0\n")
        #expect(try !GitHelper(arguments: ["capability"]).readsInput)
    }

    @Test("Unknown attributes and invalid lines are ignored; an empty line ends the description")
    func attributes() throws {
        let read = try description(
            """
            capability[]=authtype
            protocol=https
            host=git.example
            wwwauth[]=Basic realm="host=evil.example"
            nonsense
            quit=1
            username=ann=b

            host=evil.example

            """)
        #expect(read.url == "https://git.example" && read.user == "ann=b" && read.password == nil)
    }

    @Test("A value is read to its last byte, blanks, equals signs and carriage returns included")
    func values() throws {
        let read = try description("username= ann \npassword==a=b \r\n")
        #expect(read.user == " ann " && read.password.map { $0.text } == "=a=b \r")
        #expect(try description("password=last").password?.text == "last")
        #expect(try description("username=\npassword=\n").user == "")
    }

    @Test("What is not UTF-8, or has a NUL, is refused, and the message does not show it")
    func text() throws {
        let bytes = Array("protocol=https\nhost=a\nusername=ann\npassword=s3cr3t".utf8)
        for wrong in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0]]
            as [[UInt8]]
        {
            let helper = try GitHelper(arguments: ["store"])
            let action = (bytes + wrong).withUnsafeBytes { helper.start($0, now: 0) }
            let answer = try #require(action.answered)
            #expect(answer.trouble == "The password is not UTF-8" && answer.text.isEmpty)
        }
        let names = Array("protocol=https\nhost=".utf8) + [0xFE]
        #expect(throws: HelperTrouble("The host is not UTF-8")) {
            try names.withUnsafeBytes { bytes throws(HelperTrouble) in try GitDescription(bytes) }
        }
        #expect(try description("password=päß😀\n").password?.text == "päß😀")
    }

    @Test("What is found is answered with user and password")
    func found() throws {
        var helper = try GitHelper(arguments: ["get"])
        let task = try #require(helper.start("protocol=https\nhost=a\nusername=ann\n", now: 0).performed)
        guard case .get("https://a", user: "ann") = task else { return #expect(Bool(false), "\(task)") }
        let kept = StoredPassword(user: "ann", password: SecretBytes(utf8: "s3cr3t"))
        #expect(helper.next(after: task, .found(kept), now: 0).answered?.text == "username=ann\npassword=s3cr3t\n")
    }

    @Test("A value with a line feed is not returned: git would read the rest as keys")
    func lineFeeds() throws {
        let task = HelperTask.get(url: "https://git.example", user: nil)
        for (user, password) in [("ann\nhost=evil.example", "x"), ("ann", "x\nusername=eve")] {
            var helper = try GitHelper(arguments: ["get"])
            let kept = StoredPassword(user: user, password: SecretBytes(utf8: password))
            let answer = try #require(helper.next(after: task, .found(kept), now: Self.now).answered)
            #expect(answer.text.isEmpty && answer.trouble?.contains("line feed") == true)
        }
    }

    @Test("For a missing or refused password git gets no output, and the user the reason")
    func refused() throws {
        var helper = try GitHelper(arguments: ["get"])
        let task = HelperTask.get(url: "https://a", user: nil)
        let missing = try #require(helper.next(after: task, .notFound, now: 0).answered)
        #expect(missing.text.isEmpty && missing.trouble == nil && missing.status == 0)
        let locked = try #require(helper.next(after: task, .failed(HelperTrouble("It is locked")), now: 0).answered)
        #expect(locked.text.isEmpty && locked.trouble == "It is locked" && locked.status == 0)
    }

    /// Stores, and then asks for it.
    private func answer(stored: String, options: [String] = [], password: String = "s3cr3t", now: Int64) throws
        -> HelperAction
    {
        let task = try #require(
            start("store", "protocol=https\nhost=a\nusername=ann\npassword=s3cr3t\n\(stored)", options: options)
                .performed)
        guard case .store("https://a", "ann", _, let notes) = task else { throw HelperTrouble("no store") }
        var helper = try GitHelper(arguments: ["get"])
        let kept = StoredPassword(user: "ann", password: SecretBytes(utf8: password), notes: notes)
        return helper.next(after: .get(url: "https://a", user: nil), .found(kept), now: now)
    }

    @Test("Expiry and refresh token are returned with the password that they were stored with, and with no other")
    func notes() throws {
        let stored = "password_expiry_utc=\(Self.now + 60)\noauth_refresh_token=r3fresh\n"
        #expect(
            try answer(stored: stored, now: Self.now).answered?.text
                == "username=ann\npassword=s3cr3t\noauth_refresh_token=r3fresh\npassword_expiry_utc=\(Self.now + 60)\n")
        #expect(
            try answer(stored: stored, password: "other", now: Self.now).answered?.text
                == "username=ann\npassword=other\n")
    }

    @Test("An expired password is not given; its refresh token is")
    func expired() throws {
        let (expiry, token) = ("password_expiry_utc=\(Self.now)\n", "oauth_refresh_token=r3fresh\n")
        #expect(try answer(stored: expiry, now: Self.now).answered?.text == "")
        #expect(
            try answer(stored: expiry + token, now: Self.now).answered?.text
                == "username=ann\noauth_refresh_token=r3fresh\n")
    }

    @Test("With --timeout what was stored is erased once its time is over")
    func timeout() throws {
        let options = ["--timeout=30"]
        #expect(
            try answer(stored: "", options: options, now: Self.now + 29).answered?.text
                == "username=ann\npassword=s3cr3t\n")
        guard
            case .erase("https://a", "ann", nil)? = try answer(stored: "", options: options, now: Self.now + 30)
                .performed
        else { return #expect(Bool(false)) }
    }

    @Test("An erase names the user and the password where git does")
    func erase() throws {
        guard case .erase("https://a", nil, nil)? = try start("erase", "protocol=https\nhost=a\n").performed,
            case .erase("https://a", "ann", let password?)? = try start(
                "erase", "protocol=https\nhost=a\nusername=ann\npassword=x\n"
            ).performed
        else { return #expect(Bool(false)) }
        #expect(password.text == "x")
    }
}
