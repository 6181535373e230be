// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AutofillCommands

@Suite("autofillctl domain", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct DomainCommandTests {
    @Test(
        "The site's statement, the user's decision and the last failure are shown for each domain, and the decision is made and reverted"
    )
    func domains() async throws {
        let service = try await TestService.withVault(siteAssociation: "required")
        try service.register("org.example.Shop", domains: ["shop.example.com", "*.example.net"])
        let shop = ["org.example.Shop", "shop.example.com"]
        #expect(try await service.run("domain", "approve", shop[0], shop[1]).status == 66)
        let before = try await service.proven("domain", "show", shop[0], shop[1])
        #expect(before.status == 1 && before.output.contains("not fetched yet"), "\(before.output)")
        let refreshed = try await service.proven("domain", "refresh", shop[0], shop[1])
        #expect(refreshed.status == 1)
        #expect(refreshed.output.contains("unavailable: "), "\(refreshed.output)")
        let quiet = try await service.proven("domain", "refresh", shop[0], shop[1], "--quiet")
        #expect(quiet.status == 1 && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
        let list = try await service.proven("domain", "list")
        #expect(list.output.contains("*.example.net") && list.output.contains("unavailable"))
        #expect(try await service.proven("domain", "approve", shop[0], shop[1]).status == 0)
        let approved = try await service.proven("domain", "show", shop[0], shop[1])
        #expect(approved.status == 0 && approved.output.contains("shop.example.com: approved"))
        let explained = try await service.proven(
            "explain", shop[0], "--domain", shop[1], "--registrations", service.registrations)
        #expect(explained.output.contains("the user approved it instead"), "\(explained.output)")
        #expect(try await service.proven("domain", "deny", shop[0], shop[1]).status == 0)
        let denied = try await service.proven("domain", "show", shop[0], shop[1], "--json")
        #expect(denied.status == 1 && denied.output.contains(#""userState":"denied""#))
        let foreign = try await service.proven("domain", "show", shop[0], "other.example.org")
        #expect(foreign.status == 1 && foreign.errors.contains("(domain-not-associated)"))
        let all = try await service.proven("domain", "approve", shop[0], "*.example.net", "--json")
        #expect(all.output.contains(#""changed":true"#))
    }
}
