// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import Testing

@Suite(
    "One-time codes and keychain items at the command line", .serialized,
    .enabled(if: TestService.isThere, TestService.absence))
struct CodeCommandTests {
    private static let uri = "otpauth://hotp/jo?counter=0&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    @Test("A code is set from a descriptor, printed bare, exported with its next counter, and deleted")
    func codes() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo", "--password-fd", "3", inputs: [3: "one"])
        let set = try await service.proven("code", "set", "a.example", "jo", "--uri-fd", "3", inputs: [3: Self.uri])
        #expect(set.status == 0 && set.output.hasPrefix("Set the one-time codes of crd_"), "\(set.errors)")
        #expect(try await service.proven("code", "get", "a.example").output == "755224\n")
        #expect(try await service.proven("code", "get", "a.example", "jo").output == "287082\n")
        let exported = try await service.proven("code", "export", "a.example", "jo").output
        #expect(
            exported == "otpauth://hotp/jo?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&counter=2\n")
        let deleted = try await service.proven("code", "delete", "a.example", "jo", "--yes")
        #expect(deleted.status == 0)
        let none = try await service.proven("code", "get", "a.example")
        #expect(none.status != 0 && none.errors.contains("code-not-found"))
    }

    @Test("Many URIs are imported to the accounts that they name; an invalid one is reported with its fix")
    func imported() async throws {
        let service = try await TestService.withVault()
        for user in ["jo", "ann"] {
            _ = try await service.proven("save", "a.example", user, "--password-fd", "3", inputs: [3: user])
        }
        let lines = Self.uri + "\r\notpauth://totp/A:ann?secret=MY\n"
        let run = try await service.proven("code", "import", "a.example", "--uri-fd", "3", inputs: [3: lines])
        #expect(run.output == "2 of 2 credentials changed\n", "\(run.errors)")
        let json = try await service.proven(
            "code", "import", "a.example", "--uri-fd", "3", "--json", inputs: [3: lines])
        #expect(json.output == #"{"imported":2,"changed":false}"# + "\n")
        let third = try await service.proven(
            "code", "import", "a.example", "--uri-fd", "3", inputs: [3: Self.uri + "\n\r\nno URI\n"])
        #expect(
            third.status == 64 && third.errors.contains("Line 3 was not imported; 1 code before it was"),
            "\(third.errors)"
        )
        let wrong = try await service.proven(
            "code", "set", "a.example", "jo", "--uri-fd", "3", inputs: [3: "otpauth://totp/a?secret=1"])
        #expect(wrong.status != 0 && wrong.errors.contains("base 32") && !wrong.errors.contains("secret=1"))
    }

    @Test("An item keeps its bytes, is listed without them, and is deleted")
    func keychain() async throws {
        let service = try await TestService.withVault()
        let item = ["org.example.Shop", "tokens", "jo"]
        func run(_ arguments: [String], _ inputs: [Int32: String] = [:]) async throws -> CommandRun {
            try await CommandRun.of(
                ["keychain"] + arguments + ["--socket", service.socket, "--key-file", service.key], inputs: inputs)
        }
        let set = try await run(["set"] + item + ["--data-fd", "3"], [3: "two\nlines"])
        #expect(set.status == 0, "\(set.errors)")
        #expect(try await run(["get"] + item).output == "two\nlines")
        let listed = try await run(["list"])
        #expect(listed.output.contains("tokens") && !listed.output.contains("lines"))
        #expect(try await run(["list", "org.example.Shop", "other"]).output == "There are no keychain items.\n")
        #expect(try await run(["delete"] + item + ["--yes"]).status == 0)
        #expect(try await run(["get"] + item).errors.contains("item-not-found"))
    }
}
