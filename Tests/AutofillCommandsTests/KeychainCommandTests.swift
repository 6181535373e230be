// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AutofillCommands

@Suite("autofillctl keychain", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct KeychainCommandTests {
    private static let group = "org.example.Shop"

    private func id(in output: String) throws -> String {
        try #require(output.split(separator: "\"").first { $0.hasPrefix("itm_") }).description
    }

    @Test("search lists the items of a group that have all attributes, and never what they hold")
    func search() async throws {
        let service = try await TestService.withVault()
        func add(_ label: String, _ attributes: String...) async throws -> String {
            let named = attributes.flatMap { ["--attribute", $0] }
            let run = try await CommandRun.of(
                ["keychain", "set", Self.group, "--label", label, "--data-fd", "3", "--json"] + named
                    + ["--socket", service.socket, "--key-file", service.key], inputs: [3: "horse of \(label)"])
            #expect(run.status == 0, "\(run.errors)")
            return try id(in: run.output)
        }
        let mail = try await add("Mail", "server=mail.example.com", "user=jo=ann")
        let news = try await add("News", "server=news.example.com", "user=jo=ann")
        func search(_ arguments: String...) async throws -> CommandRun {
            try await CommandRun.of(
                ["keychain", "search"] + arguments + ["--socket", service.socket, "--key-file", service.key])
        }
        let both = try await search(Self.group, "user=jo=ann")
        #expect(both.status == 0 && both.output.contains(mail) && both.output.contains(news))
        #expect(both.output.hasPrefix("LABEL  ATTRIBUTES") && !both.output.contains("horse"))
        let one = try await search(Self.group, "user=jo=ann", "server=mail.example.com")
        #expect(one.output.contains("Mail   server=mail.example.com user=jo=ann") && !one.output.contains(news))
        let json = try await search(Self.group, "server=news.example.com", "--json")
        #expect(try id(in: json.output) == news && !json.output.contains("horse"))
        #expect(try await search(Self.group, "user=jo").output == "No item was found.\n")
        #expect(try await search("org.example.Bank", "user=jo=ann").output == "No item was found.\n")
        for wrong in [[Self.group, "server"], ["no group", "a=b"]] {
            let run = try await CommandRun.of(["keychain", "search"] + wrong + ["--socket", service.socket])
            #expect(run.status == 64, "\(wrong): \(run.errors)")
        }
        #expect(try await service.run("keychain", "search", Self.group, "user=jo=ann").status == 66)
    }
}
