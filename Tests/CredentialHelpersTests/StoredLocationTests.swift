// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import SecretMemory
import Testing

@Suite("What helpers note, and how they are called")
struct StoredLocationTests {
    @Test("A URL and a user make an account that is read back, whatever they hold")
    func accounts() throws {
        for (url, user) in [("https://a", "ann"), ("", ""), ("a\"],[\"b", "\\\u{1}"), ("päth", "ä 😀")] {
            let kept = StoredLocation(url: url, user: user)
            let account = try #require(kept.account)
            let read = try #require(StoredLocation(account: account))
            #expect(read.url.utf8.elementsEqual(url.utf8) && read.user.utf8.elementsEqual(user.utf8))
        }
        #expect(StoredLocation(url: String(repeating: "a", count: 1020), user: "ann").account == nil)
        for account in ["", "ann", "[]", #"["a"]"#, #"["a","b","c"]"#, #"["a",1]"#, #"[["a"],"b"]"#] {
            #expect(StoredLocation(account: account) == nil, "\(account)")
        }
    }

    @Test("Empty names and passwords have a form that is not empty, and no other has the same")
    func empty() {
        var names = Set<[UInt8]>()
        for text in ["", "\u{1}", "\u{1}\u{1}", "a", "\u{1}a", "ä"] {
            let name = EmptyText.escaped(text)
            #expect(!name.isEmpty && EmptyText.plain(name).utf8.elementsEqual(text.utf8))
            let secret = EmptyText.escaped(SecretBytes(utf8: text))
            #expect(
                secret.text.utf8.elementsEqual(name.utf8) && EmptyText.plain(secret).text.utf8.elementsEqual(text.utf8))
            names.insert(Array(name.utf8))
        }
        #expect(names.count == 6)
    }

    @Test("The tool is derived from the program's name, else from the first argument")
    func started() {
        #expect(HelperTool.started(as: ["/usr/bin/git-credential-autofill", "get"])?.tool == .git)
        #expect(HelperTool.started(as: ["docker-credential-autofill"])?.rest.isEmpty == true)
        let named = HelperTool.started(as: ["./autofill-credential", "cargo", "--cargo-plugin"])
        #expect(named?.tool == .cargo && named.map { Array($0.rest) } == ["--cargo-plugin"])
        #expect(HelperTool.started(as: ["autofill-credential"]) == nil)
        #expect(HelperTool.started(as: ["git-credential-autofill.old", "get"]) == nil)
    }

    @Test("Bytes that are removed from the front, and appended, stay in order")
    func buffer() {
        var buffer = SecretBuffer(capacity: 1)
        for number in 0..<200 { buffer.append("\(number),") }
        buffer.removeFirst("0,1,2,".utf8.count)
        buffer.append(SecretBytes(utf8: "end"))
        let expected = (3..<200).map { "\($0)," }.joined() + "end"
        #expect(buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(buffer.secret.text == expected)
    }
}
