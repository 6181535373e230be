// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import PasswordRules
import Testing

@testable import AutofillClient

@Suite("The library's vocabulary")
struct VocabularyTests {
    @Test("Content types, keyboards and service types have Apple's raw values")
    func rawValues() {
        let types: [TextContentType] = [.username, .emailAddress, .password, .newPassword, .oneTimeCode]
        #expect(types.map(\.rawValue) == ["username", "email", "password", "new-password", "one-time-code"])
        #expect(
            KeyboardType.allCases.map(\.rawValue) == [
                "default", "emailAddress", "numberPad", "phonePad", "asciiCapable",
            ])
        #expect(CredentialServiceIdentifier.domain("example.com").type.rawValue == "domain")
    }

    @Test("The named values are those of the protocol, and an unknown one is kept")
    func words() {
        #expect([FormKind.signUp, .signIn, .changePassword, .oneTimeCode, .other].map(\.rawValue) == Words.formKinds)
        let roles: [AutofillClient.FieldRole] = [
            .username, .emailAddress, .password, .newPassword, .confirmation, .oneTimeCode, .search, .payment, .hidden,
            .other,
        ]
        #expect(roles.map(\.rawValue) == Words.roles)
        let assurances: [AppAssurance] = [.sandboxed, .installed, .attributed, .claimed, .none]
        #expect(assurances.map(\.rawValue) == Words.assurances)
        #expect([OneTimeCodeSource.time, .counter, .incoming].map(\.rawValue) == Words.codeSources)
        #expect([CredentialChange.saved, .deleted].map(\.rawValue) == Words.credentialChanges)
        let outcomes: [SubmissionResult.Outcome] = [.saved, .updated, .unchanged, .nothing]
        #expect(outcomes.map(\.rawValue) == Words.submissionOutcomes)
        let styles: [AutofillClient.StrongPasswordSuggestion.Style] = [.readable, .readableWithoutDashes, .random]
        #expect(styles.map(\.rawValue) == Words.styles)
        let audiences: [AutofillReason.Audience] = [.user, .developer, .administrator]
        #expect(audiences.map(\.rawValue) == Words.audiences)
        let retries: [AutofillReason.Retry] = [.never, .now, .afterChange, .afterEvent, .afterDelay]
        #expect(retries.map(\.rawValue) == Words.retries)
        let sources: [AutofillSetting.Source] = [.standard, .administrator, .user]
        #expect(sources.map(\.rawValue) == Words.settingSources)
        let capabilities: [Greeting.Capability] = [
            .strongPasswords, .credentials, .codes, .urls, .origins, .codeSource, .keychain, .verifiers, .signIn,
        ]
        #expect(capabilities.map(\.rawValue) == Words.capabilities)
        #expect(FormKind(rawValue: "later").description == "later")
    }

    @Test("An instant of the wire is a date to the millisecond, and a malformed one is refused")
    func dates() throws {
        #expect(try Date(wire: "2026-11-22T15:01:02.345Z").timeIntervalSince1970 == 1_795_359_662.345)
        #expect(throws: AutofillError.answerNotUnderstood("soon is no instant")) { try Date(wire: "soon") }
    }

    @Test("A service of an unknown type keeps its type")
    func serviceTypes() {
        let later = CredentialServiceIdentifier(ServiceIdentifier(type: "later", value: "x"))
        #expect(later.type.rawValue == "later" && later != CredentialServiceIdentifier(identifier: "x", type: .domain))
    }

    @Test("No description shows a password")
    func withheld() throws {
        let credential = PasswordCredential(user: "jo", password: "s3cret")
        var text = ""
        dump(credential, to: &text)
        text += "\(credential) \(String(reflecting: credential))"
        #expect(!text.contains("s3cret") && text.contains("jo"))
    }

    @Test("The id of a form is a UUID of version 4, and no two forms have the same")
    func formID() throws {
        let ids = Set((0..<200).map { _ in AutofillForm.randomID() })
        #expect(ids.count == 200)
        for id in ids {
            #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        }
    }

    @Test("A refusal is recognised by its reason")
    func codes() {
        let error = AutofillError.refused([])
        #expect(!error.isRefused(for: .vaultLocked))
        #expect(AutofillReason.Code.domainNotAssociated.rawValue == "domain-not-associated")
    }
}
