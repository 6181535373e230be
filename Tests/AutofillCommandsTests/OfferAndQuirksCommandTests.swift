// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl offers, quirks", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct OfferAndQuirksCommandTests {
    private func offer(_ service: TestService) async throws -> (id: String, password: String) {
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        let session = try await AutofillSession.connect(bundleID: "org.example.Shop", socketPath: service.socket)
        let form = AutofillForm(
            for: .domain("shop.example.com"),
            fields: [FormField("mail", .username), FormField("new", .newPassword, isSecureTextEntry: true)])
        let suggestion = try #require(try await session.suggestions(for: form).strongPassword)
        return (suggestion.offer, try await session.fill(suggestion).password)
    }

    @Test("A sign-up that was interrupted is listed, shown only with --reveal, and finished")
    func finish() async throws {
        let service = try await TestService.withVault()
        #expect(try await service.proven("offers", "list").output == "There are no such offers.\n")
        let (id, password) = try await offer(service)
        let list = try await service.proven("offers", "list", "--state", "pending")
        #expect(list.output.contains(id) && list.output.contains("org.example.Shop"))
        #expect(!list.output.contains(password))
        let hidden = try await service.proven("offers", "show", id)
        #expect(hidden.status == 0 && hidden.output.contains("hidden") && !hidden.output.contains(password))
        #expect(try await service.proven("offers", "show", id, "--reveal").output == password + "\n")
        let declined = try await service.proven("offers", "decline", id)
        #expect(declined.status == 0 && declined.output.hasPrefix("Declined"))
        let listed = try await service.proven("offers", "list", "--json")
        #expect(listed.output.contains(#""state":"declined""#))
        let accepted = try await service.proven("offers", "accept", id, "jo@example.com")
        #expect(accepted.status == 0 && accepted.output.hasPrefix("Saved as crd_"))
        #expect(try await service.proven("get", "shop.example.com", "--reveal").output == password + "\n")
        #expect(try await service.proven("offers", "accept", id).status == 64)
        #expect(try await service.proven("offers", "show", "off_00000000000000000000000000000000").status == 2)
    }

    @Test("Public files are imported, shown for a domain, refused if they are invalid, and removed")
    func quirks() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.path + "/data"
        func run(_ arguments: String...) async throws -> CommandRun {
            try await CommandRun.of(["quirks"] + arguments + ["--data-directory", data])
        }
        try folder.write("public/password-rules.json", #"{"a.example": {"password-rules": "minlength: 20;"}}"#)
        try folder.write("public/change-password-URLs.json", #"{"a.example": "https://a.example/pw"}"#)
        try folder.write("public/shared-credentials-historical.json", "[]")
        let imported = try await run("import", folder.path + "/public")
        #expect(imported.status == 0 && imported.output.contains("1 domain\n"))
        #expect(imported.output.contains("left out: shared-credentials-historical.json"))
        let shown = try await run("show", "www.a.example")
        #expect(shown.output.contains("minlength: 20") && shown.output.contains("https://a.example/pw"))
        try folder.write("public/change-password-URLs.json", #"{"a.example": "http://a.example/pw"}"#)
        let refused = try await run("import", folder.path + "/public")
        #expect(refused.status == 65 && refused.errors.contains("a.example"))
        #expect(try await run("show", "a.example", "--json").output.contains("https:"))
        #expect(try await run("remove").output == "Removed all imported data.\n")
        #expect(try await run("remove").output == "Nothing was imported.\n")
        #expect(try await run("import", folder.path + "/nowhere").status != 0)
    }
}
