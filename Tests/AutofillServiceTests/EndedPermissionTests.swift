// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Prompting
import Settings
import Support
import Testing

@Suite("Decisions that end what was allowed")
struct EndedPermissionTests {
    private static let shop = "org.example.Shop"

    @Test("A yes to a prompt does not replace the site's statement once that does not list the app; a command does")
    func withdrawn() throws {
        let daemon = try TestService(consent: .user, siteAssociation: .required)
        daemon.sites = { .listing([Self.shop], to: $0) }
        let (user, app) = (try daemon.user(), daemon.connect())
        try app.greet()
        try user.answer(to: CredentialSave("ann", "secret", at: .shop, proof: .test))
        let filled = try app.send(CredentialGet(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        _ = try filled.answer()
        daemon.sites = { .listing([], to: $0) }
        daemon.clock.advance(milliseconds: Int64(Limits.associationRefreshMilliseconds))
        #expect(try app.answer(to: DomainRefresh(domain: "shop.example.com")).siteState == "notListing")
        #expect(try app.reasons(for: CredentialGet(service: .shop)) == ["site-not-listing"])
        try user.answer(to: GrantAllow(bundleID: Self.shop, service: .shop, proof: .test))
        try app.answer(to: CredentialGet(service: .shop))
    }

    @Test("Where the user has denied the service no strong password is offered: it could not be saved")
    func deniedService() throws {
        let daemon = try TestService(siteAssociation: .required)
        daemon.sites = { .listing([Self.shop], to: $0) }
        let (user, app) = (try daemon.user(), daemon.connect())
        try app.greet()
        let diagnose = Diagnose(service: .shop, form: FormDescription(.signUp))
        #expect(try app.answer(to: diagnose).strongPassword)
        try user.answer(to: GrantDeny(bundleID: Self.shop, .service(.shop), proof: .test))
        let suggested = try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
        #expect(suggested.reasons(withholding: "strongPassword") == ["grant-denied"])
        #expect(try !app.answer(to: diagnose).strongPassword)
        #expect(try user.answer(to: OfferList(proof: .test)).offers.isEmpty)
    }
}
