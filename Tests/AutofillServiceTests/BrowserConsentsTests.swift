// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Support
import Testing

@testable import AutofillService

@Suite("A browser's consent to all web sites")
struct BrowserConsentsTests {
    private let key = BrowserConsents.Key(
        subject: Subject(app: "org.example.Browser", assurance: "installed", executable: "path:/usr/bin/browser"),
        login: "boot/1", replacements: 0)

    private static func site(_ number: Int) -> Credentials.Service {
        Credentials.Service(kind: .domain, value: "site\(number).example")
    }

    @Test("Reading it changes nothing; counting too many sites ends it, and what was decided by it")
    func reading() throws {
        let key = key
        try TestService().onEngine { engine in
            let environment = engine.service.stores.environment
            let consents = BrowserConsents(environment)
            consents.give(key)
            let revision = environment.revision.number
            for number in 0...(2 * Limits.browserSites) {
                let site = Self.site(number)
                #expect(consents.grant(for: site, key, noted: [site]) != nil, "\(number)")
            }
            #expect(environment.revision.number == revision)
            for number in 1...Limits.browserSites { consents.count(Self.site(number), key) }
            #expect(consents.grant(for: Self.site(1), key, noted: [Self.site(1)]) != nil)
            #expect(consents.grant(for: Self.site(0), key, noted: [Self.site(0)]) == nil)
            #expect(consents.grants(replacements: 0).count == 1 && environment.revision.number == revision)
            consents.count(Self.site(0), key)
            #expect(consents.grants(replacements: 0).isEmpty && environment.revision.number == revision + 1)
        }
    }

    @Test("A judgement that reads it for too many sites gets no further one by it")
    func inOneJudgement() throws {
        let key = key
        try TestService().onEngine { engine in
            let consents = BrowserConsents(engine.service.stores.environment)
            consents.give(key)
            var noted: [Credentials.Service] = []
            for number in 0..<Limits.browserSites {
                noted.append(Self.site(number))
                #expect(consents.grant(for: Self.site(number), key, noted: noted) != nil)
            }
            noted.append(Self.site(Limits.browserSites))
            #expect(consents.grant(for: Self.site(Limits.browserSites), key, noted: noted) == nil)
        }
    }
}
