// SPDX-License-Identifier: Apache-2.0
import AutofillPolicy
import Forms
import Reasons
import Testing

@Suite("The decision")
struct ExaminationTests {
    private static let form = FormAnalysis(of: [
        FormField(id: "user", contentType: .username),
        FormField(id: "new", contentType: .newPassword, isSecure: true),
    ])

    private static func facts(_ change: (inout AutofillFacts) -> Void = { _ in }) -> AutofillFacts {
        var facts = AutofillFacts(
            app: "org.example.Shop", settingsPath: "/s.json", keychain: true, autoFill: true, strongPasswords: true,
            identity: .consistent(assurance: "claimed", grounds: []),
            declaration: .present(
                .init(
                    path: "/r.json", isCredentialProvider: true, associatedDomains: ["webcredentials:shop.example.com"],
                    coveringEntry: "webcredentials:shop.example.com")),
            site: .domain("shop.example.com"), siteStatement: .approved("yes"), userDecision: .silent, form: form,
            rules: .satisfiable("allowed: ascii-printable;"),
            consent: .granted("grt"), vault: .unlocked)
        change(&facts)
        return facts
    }

    private static func declared(
        provider: Bool = true, domains: [String] = ["webcredentials:a.example"], covering: String? = nil
    )
        -> AutofillFacts.Declaration
    {
        .present(
            .init(path: "/r.json", isCredentialProvider: provider, associatedDomains: domains, coveringEntry: covering))
    }

    @Test(
        "When every condition holds AutoFill may act",
        arguments: [
            Examination.Purpose.strongPassword, .save, .savedCredential,
        ])
    func allHeld(purpose: Examination.Purpose) {
        #expect(Examination(of: Self.facts(), for: purpose).isPermitted)
    }

    @Test("Each condition that fails has a reason of its own")
    func eachCondition() {
        let cases: [((inout AutofillFacts) -> Void, Reason)] = [
            ({ $0.keychain = false }, .keychainDisabled),
            ({ $0.autoFill = false }, .autoFillDisabled),
            ({ $0.strongPasswords = false }, .strongPasswordsDisabled),
            ({ $0.identity = .contradicted("no") }, .identityMismatch),
            ({ $0.declaration = .missing(searched: ["/a"]) }, .appNotRegistered),
            ({ $0.declaration = .invalid(path: "/r.json", mistakes: ["name: missing"]) }, .registrationInvalid),
            (
                { $0.declaration = Self.declared(provider: false, covering: "webcredentials:a.example") },
                .providerEntitlementMissing
            ),
            ({ $0.declaration = Self.declared(domains: []) }, .associatedDomainsMissing),
            ({ $0.declaration = Self.declared() }, .domainNotAssociated),
            ({ $0.siteStatement = .notFetched("") }, .siteNotFetched),
            ({ $0.siteStatement = .failed("") }, .siteFetchFailed),
            ({ $0.siteStatement = .notListing("") }, .siteNotListing),
            ({ $0.userDecision = .needed("") }, .approvalMissing),
            ({ $0.userDecision = .denied("") }, .approvalDenied),
            ({ $0.site = .unsupportedType("origin") }, .serviceTypeUnsupported),
            ({ $0.form = FormAnalysis(of: [FormField(id: "u", contentType: .username)]) }, .newPasswordFieldMissing),
            (
                {
                    $0.form = FormAnalysis(of: [
                        FormField(id: "u", contentType: .username), FormField(id: "n", contentType: .newPassword),
                    ])
                }, .fieldNotSecure
            ),
            (
                { $0.form = FormAnalysis(of: [FormField(id: "n", contentType: .newPassword, isSecure: true)]) },
                .usernameFieldMissing
            ),
            ({ $0.rules = .unsatisfiable(field: "n", detail: "min > max") }, .passwordRulesUnsatisfiable),
            ({ $0.rules = .tooComplex(field: "n", detail: "too many") }, .passwordRulesTooComplex),
            ({ $0.vault = .locked }, .vaultLocked),
            ({ $0.vault = .missing }, .vaultMissing),
            ({ $0.vault = .unusable("vault-newer") }, .vaultNewer),
        ]
        for (change, reason) in cases {
            let examination = Examination(of: Self.facts(change), for: .strongPassword)
            #expect(examination.refusals.map(\.reason) == [reason])
        }
        #expect(
            Examination(of: Self.facts { $0.consent = .missing }, for: .savedCredential).refusals.map(\.reason)
                == [.grantMissing])
        #expect(
            Examination(of: Self.facts { $0.consent = .denied }, for: .savedCredential).refusals.map(\.reason)
                == [.grantDenied])
    }

    @Test("Several failures are all listed, in the order of protocol.md")
    func order() {
        let facts = Self.facts {
            $0.vault = .locked
            $0.autoFill = false
            $0.keychain = false
            $0.form = FormAnalysis(of: [FormField(id: "n", contentType: .newPassword)])
            $0.declaration = Self.declared(provider: false)
        }
        #expect(
            Examination(of: facts, for: .strongPassword).refusals.map(\.reason) == [
                .keychainDisabled, .autoFillDisabled, .providerEntitlementMissing, .domainNotAssociated,
                .fieldNotSecure,
                .usernameFieldMissing, .vaultLocked,
            ])
    }

    @Test("Turning strong passwords off prevents neither saved credentials nor saving from an app")
    func strongPasswordsOnly() {
        let facts = Self.facts { $0.strongPasswords = false }
        #expect(Examination(of: facts, for: .save).isPermitted)
        #expect(Examination(of: facts, for: .savedCredential).isPermitted)
    }

    @Test("Every finding has its evidence, and what is unknown is neither held nor refused")
    func evidence() {
        let facts = Self.facts {
            $0.identity = .notAsked
            $0.consent = .unknown
        }
        for finding in Examination(of: facts, for: .savedCredential).findings {
            #expect(!finding.evidence.isEmpty)
            if finding.isHeld == nil { #expect(finding.refusal == nil) }
        }
    }
}
