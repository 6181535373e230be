// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

@testable import BrowserMessages

@Suite("Messages of the extension")
struct ExtensionMessageTests {
    /// The line that a message becomes, or its fault.
    private func line(_ text: String) -> Result<(ExtensionMessage, String), ExtensionMessage.Problem> {
        var writer = JSONWriter()
        var scanner = JSONScanner(maximumDepth: 16)
        var read = Result<ExtensionMessage, ExtensionMessage.Problem>.failure(.init(id: nil, detail: "JSON"))
        _ = try? Array(text.utf8).withUnsafeBytes { bytes throws(JSONError) in
            try scanner.scan(bytes) { value in
                do throws(ExtensionMessage.Problem) {
                    read = .success(try ExtensionMessage.read(value, as: 5, to: &writer))
                } catch {
                    read = .failure(error)
                }
            }
        }
        let line = String(decoding: writer.lines(), as: UTF8.self)
        return read.map { ($0, line) }
    }

    @Test("The service is the origin that the browser reports, whatever the page claims")
    func service() throws {
        let (message, line) = try line(
            #"{"id":7,"method":"fill","origin":"https://a.example","topOrigin":"https://b.example","document":"D1","params":{"credential":"crd_1"}}"#
        ).get()
        #expect(message == ExtensionMessage(id: 7, document: "D1", action: .call(.fill), isRepeatable: true))
        #expect(
            line
                == #"{"jsonrpc":"2.0","id":5,"method":"autofill.fill","params":{"context":{"page":{"type":"origin","value":"https://a.example"},"topOrigin":{"type":"origin","value":"https://b.example"}},"credential":"crd_1"}}"#
                + "\n")
        let picked = try self.line(
            #"{"id":8,"method":"fill","origin":"https://a.example","params":{"form":{"fields":[]}}}"#
        )
        .get().1
        #expect(
            picked.contains(
                #""params":{"service":{"type":"origin","value":"https://a.example"},"context":{"page":{"type":"origin","value":"https://a.example"}},"form":{"fields":[]}}"#
            )
        )
        let smuggled =
            #"{"id":7,"method":"fill","origin":"https://a.example","params":{"service":{"type":"domain","value":"b.example"}}}"#
        #expect(throws: ExtensionMessage.Problem.self) { try self.line(smuggled).get() }
    }

    @Test(
        "A parameter or method that is not on the list does not leave the browser",
        arguments: [
            #"{"id":1,"method":"get","origin":"https://a.example","params":{"proof":{"type":"prompt"}}}"#,
            #"{"id":1,"method":"search","params":{"proof":{"type":"passphrase","passphrase":"of the vault"}}}"#,
            #"{"id":1,"method":"search","params":{"service":{"type":"domain","value":"b.example"}}}"#,
            #"{"id":1,"method":"save","params":{"user":"a","password":"p"}}"#,
            #"{"id":1,"method":"save","origin":"https://a.example","params":{"proof":{"type":"prompt"}}}"#,
            #"{"id":1,"method":"history","params":{"credential":"crd_1"}}"#,
            #"{"id":1,"method":"update","params":{"services":[]}}"#,
            #"{"id":1,"method":"admin.vault.lock","params":{}}"#,
            #"{"id":1,"method":"autofill.suggest","origin":"https://a.example","params":{}}"#,
            #"{"id":1,"method":"suggest","params":{}}"#, #"{"id":1,"method":"suggest","origin":7,"params":{}}"#,
            #"{"id":1,"method":"status","bundleID":"org.example.Shop"}"#, #"{"id":1,"method":"cancel"}"#, #"{"id":1}"#,
        ])
    func refused(_ text: String) {
        #expect { try line(text).get() } throws: { ($0 as? ExtensionMessage.Problem)?.id == 1 }
    }

    @Test(
        "Input that is no message is refused without an id",
        arguments: ["", "[]", "7", "{", #"{"id":"x"}"#, #"{"id":0,"method":"status"}"#])
    func malformed(_ text: String) {
        #expect { try line(text).get() } throws: { ($0 as? ExtensionMessage.Problem)?.id == nil }
    }

    @Test("A line feed between the tokens of a message does not end the line")
    func oneLine() throws {
        let (_, line) = try line("{\"id\":1,\"method\":\"decline\",\"params\":{\"offer\":\n\"off_1\"\n}}").get()
        #expect(line.filter { $0 == "\n" }.count == 1 && line.hasSuffix("}}\n"))
        let (_, nested) = try self.line(
            "{\"id\":1,\"method\":\"diagnose\",\"origin\":\"https://a.example\",\"params\":{\"form\":{\"fields\":[\n{\n\"id\":\"a\"}]}}}"
        ).get()
        #expect(nested.filter { $0 == "\n" }.count == 1 && nested.hasSuffix("}}\n"))
    }

    @Test("A request for a code is not repeated, since some codes can be filled only once")
    func repeated() throws {
        let code = try line(#"{"id":1,"method":"fill","origin":"https://a.example","params":{"codeID":"cod_1"}}"#)
            .get()
        #expect(!code.0.isRepeatable)
        #expect(try line(#"{"id":1,"method":"status"}"#).get().0.isRepeatable)
    }

    @Test("An account whose password is copied is named by its id, and a submission by its own, beside the page")
    func named() throws {
        for (method, member) in [("get", "credential"), ("code", "credential"), ("confirm", "submission")] {
            let (_, line) = try line(
                #"{"id":1,"method":"\#(method)","origin":"https://a.example","params":{"\#(member)":"x_1"}}"#
            ).get()
            #expect(line.contains(#""\#(member)":"x_1""#) && !line.contains("service"))
            #expect(line.contains(#""context":{"page":{"type":"origin","value":"https://a.example"}"#))
        }
        let byUser = #"{"id":1,"method":"get","origin":"https://a.example","params":{"user":"ann"}}"#
        #expect(throws: ExtensionMessage.Problem.self) { try self.line(byUser).get() }
    }

    @Test("A code that is named is filled into the page, as an account is")
    func namedCode() throws {
        let (_, line) = try line(
            #"{"id":1,"method":"fill","origin":"https://a.example","params":{"codeID":"cod_1"}}"#
        ).get()
        #expect(line.contains(#""page":{"type":"origin","value":"https://a.example"}"#) && !line.contains("service"))
    }

    @Test("A search in all saved credentials makes the daemon ask the user, and is for no site")
    func search() throws {
        let (_, line) = try line(#"{"id":1,"method":"search","origin":"https://a.example","params":{"limit":9}}"#).get()
        #expect(
            line == #"{"jsonrpc":"2.0","id":5,"method":"credential.list","#
                + #""params":{"limit":9,"proof":{"type":"prompt"}}}"# + "\n")
    }

    @Test("Former passwords make the daemon ask the user, and a change brings no proof of its own")
    func formerPasswords() throws {
        let asked = try line(
            #"{"id":1,"method":"history","origin":"https://a.example","params":{"credential":"crd_1"}}"#
        ).get().1
        #expect(asked.hasSuffix(#""credential":"crd_1","proof":{"type":"prompt"}}}"# + "\n"))
        for (method, params) in [("save", #"{"user":"ann","password":"p"}"#), ("delete", #"{"credential":"crd_1"}"#)] {
            let change = #"{"id":1,"method":"\#(method)","origin":"https://a.example","params":\#(params)}"#
            #expect(!(try line(change).get().1.contains("proof")))
        }
    }

    @Test("Answers contain message and reasons unchanged")
    func answers() throws {
        let message = ExtensionMessage(id: 7, document: "D\"1", action: .call(.fill), isRepeatable: true)
        func answer(_ line: String) -> String {
            var writer = JSONWriter()
            var scanner = JSONScanner(maximumDepth: 16)
            _ = try? Array(line.utf8).withUnsafeBytes { bytes throws(JSONError) in
                try scanner.scan(bytes) { writer.answer(message, from: $0) }
            }
            return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        #expect(
            answer(#"{"jsonrpc":"2.0","id":5,"result":{"user":"\u0041nn"}}"#)
                == #"{"id":7,"document":"D\"1","result":{"user":"\u0041nn"}}"#)
        #expect(
            answer(#"{"id":5,"error":{"code":-32000,"message":"No","data":{"reasons":[{"reason":"grant-missing"}]}}}"#)
                == #"{"id":7,"document":"D\"1","error":{"message":"No","reasons":[{"reason":"grant-missing"}]}}"#)
    }
}

@Suite("Framing of native messages")
struct NativeFramingTests {
    private func steps(_ bytes: [UInt8], chunk: Int) -> [String] {
        var (framing, unread, result): (NativeFraming, [UInt8], [String]) = (NativeFraming(), [], [])
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            unread += bytes[start..<min(start + chunk, bytes.count)]
            reading: while true {
                switch unread.withUnsafeBytes({ framing.next(in: $0) }) {
                case .needsMore: break reading
                case .skip(let count): unread.removeFirst(count)
                case .tooLong(let count):
                    unread.removeFirst(count)
                    result.append("too long")
                case .message(let length):
                    result.append(String(decoding: unread[4..<4 + length], as: UTF8.self))
                    unread.removeFirst(4 + length)
                }
            }
        }
        return result
    }

    @Test(
        "Messages are the same however their bytes arrive, and a message that is too long affects no other",
        arguments: [1, 3, 4, 1000, 1 << 22])
    func chunks(_ chunk: Int) {
        func message(_ text: String) -> [UInt8] { NativeFraming.header(of: text.utf8.count) + text.utf8 }
        let long = [UInt8](repeating: 0x20, count: NativeFraming.maximumLength + 1)
        let bytes = message("{}") + message("") + NativeFraming.header(of: long.count) + long + message("[1]")
        #expect(steps(bytes, chunk: chunk) == ["{}", "", "too long", "[1]"])
    }

    @Test("A message of exactly the limit is accepted")
    func limit() {
        let text = String(repeating: "x", count: NativeFraming.maximumLength)
        #expect(steps(NativeFraming.header(of: text.utf8.count) + Array(text.utf8), chunk: 1 << 21) == [text])
    }
}
