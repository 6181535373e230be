// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

@Suite("Requests as far as their parameters")
struct RequestTests {
    private typealias Outcome = (method: Method?, kind: ProtocolProblem.Kind?)

    /// - Parameter name: the method as JSON.
    private func outcome(_ name: String) throws -> Outcome {
        try reading(#"{"jsonrpc":"2.0","id":1,"method":\#(name)}"#) { line in
            do throws(Request.Failure) { return (try Request(line).method, nil) } catch {
                return (nil, error.problem.kind)
            }
        }
    }

    private func reading<Result>(_ text: String, _ read: (JSONValue) -> Result) throws -> Result {
        var scanner = JSONScanner()
        let line = Array(text.utf8)
        return try line.withUnsafeBytes { line in
            try scanner.scan(line) { value throws(JSONError) in read(value) }
        }
    }

    @Test("Each method is found by its name, also where all of that is escaped")
    func methods() throws {
        for method in Method.allCases {
            let escaped = method.rawValue.utf8.map { "\\u00\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined()
            #expect(try outcome("\"\(method.rawValue)\"") == (method, nil), "\(method)")
            #expect(try outcome("\"\(escaped)\"") == (method, nil), "\(method)")
        }
    }

    @Test(
        "A name that differs in one byte, or is shorter or longer, is no method; what is no name of at most 128 bytes is missing"
    )
    func otherNames() throws {
        for method in Method.allCases {
            let name = method.rawValue
            for other in [
                name.dropLast() + "_", name.dropLast(), name + ".", name.uppercased().prefix(1) + name.dropFirst(),
            ] {
                #expect(try outcome("\"\(other)\"") == (nil, .methodUnknown), "\(other)")
            }
        }
        for unknown in ["", String(repeating: "x", count: 128)] {
            #expect(try outcome("\"\(unknown)\"") == (nil, .methodUnknown))
        }
        for missing in [
            "\"\(String(repeating: "x", count: 129))\"", #""hello\u0000""#, "9", "null", "{}", #"["hello"]"#,
        ] {
            #expect(try outcome(missing) == (nil, .methodMissing), "\(missing)")
        }
    }

    @Test("A refused member of an object in an object, or in an array of them, is named by its path")
    func paths() throws {
        let service = #"{"type":"domain","value":"example.com"}"#
        for (parameters, path) in [
            (#"{"service":7,"form":{"id":"f","fields":[]}}"#, "service"),
            (#"{"service":{"type":7,"value":"example.com"},"form":{"id":"f","fields":[]}}"#, "service.type"),
            (#"{"service":\#(service),"form":{"id":7,"fields":[]}}"#, "form.id"),
            (#"{"service":\#(service),"form":{"id":"f","fields":[{"id":"a"},{"id":7}]}}"#, "form.fields[1].id"),
        ] {
            let member = try reading(parameters) { value -> String? in
                var reader = MemberReader(value)
                do throws(ProtocolProblem) {
                    _ = try AutofillSuggest(from: &reader)
                    return nil
                } catch { return error.member }
            }
            #expect(member == path)
        }
    }

    @Test("What is unknown is listed by its path, that of an object in another before the rest")
    func unknown() throws {
        let unknown = try reading(#"{"a":1,"service":{"type":"domain","b":2,"value":"example.com"},"user":"ann"}"#) {
            value in
            var reader = MemberReader(value)
            _ = try? CredentialGet(from: &reader)
            return reader.unknown
        }
        #expect(unknown == ["service.b", "a"])
    }

    @Test("A credential is named by its id, or by service and user; a member that is null is absent")
    func credentialName() throws {
        let service = #""service":{"type":"domain","value":"example.com"}"#
        for (parameters, get, delete) in [
            ("{}", "credential", "credential"), (#"{"credential":null,"service":null}"#, "credential", "credential"),
            (#"{"user":"ann"}"#, "credential", "credential"), ("{\(service)}", nil, "user"),
            (#"{\#(service),"user":null}"#, nil, "user"), (#"{\#(service),"user":"ann"}"#, nil, nil),
            (#"{"credential":"c","user":null}"#, nil, nil),
            (#"{"credential":"c","user":"ann"}"#, "credential", "credential"),
            (#"{"credential":"c",\#(service)}"#, "credential", "credential"),
        ] as [(String, String?, String?)] {
            #expect(try refusedMember(parameters, CredentialGet.self) == get, "\(parameters)")
            #expect(try refusedMember(parameters, CredentialDelete.self) == delete, "\(parameters)")
        }
    }

    private func refusedMember<Call: MethodCall>(_ parameters: String, _: Call.Type) throws -> String? {
        try reading(parameters) { value -> String? in
            var reader = MemberReader(value)
            do throws(ProtocolProblem) {
                _ = try Call(from: &reader)
                return nil
            } catch { return error.member }
        }
    }
}
