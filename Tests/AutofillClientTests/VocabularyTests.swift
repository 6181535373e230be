// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import PasswordRules
import Testing

@testable import AutofillClient

@Suite("The library's words")
struct VocabularyTests {
    @Test("Content types, keyboards and service types have Apple's raw values")
    func rawValues() {
        let types: [TextContentType] = [.username, .emailAddress, .password, .newPassword, .oneTimeCode]
        #expect(types.map(\.rawValue) == ["username", "emailAddress", "password", "newPassword", "oneTimeCode"])
        #expect(
            KeyboardType.allCases.map(\.rawValue) == [
                "default", "emailAddress", "numberPad", "phonePad", "asciiCapable",
            ])
        #expect(CredentialServiceIdentifier.domain("example.com").type.rawValue == "domain")
    }

    @Test("A service of a type that is not known keeps its type")
    func serviceTypes() {
        let later = CredentialServiceIdentifier(ServiceIdentifier(type: "later", value: "x"))
        #expect(later.type.rawValue == "later" && later != CredentialServiceIdentifier(identifier: "x", type: .domain))
        let items = CredentialServiceIdentifier(ServiceIdentifier(type: "keychain", value: "org.example.suite/tokens"))
        #expect(items.type == .keychain && ServiceIdentifier(items).type == "keychain")
    }

    @Test("Nothing that holds a password shows it")
    func withheld() throws {
        let credential = PasswordCredential(user: "jo", password: "s3cret")
        var text = ""
        dump(credential, to: &text)
        text += "\(credential) \(String(reflecting: credential))"
        #expect(!text.contains("s3cret") && text.contains("jo"))
    }

    @Test("A form's own name is a UUID of version 4, and no two forms share one")
    func formID() throws {
        let ids = Set((0..<200).map { _ in AutofillForm.randomID() })
        #expect(ids.count == 200)
        for id in ids {
            #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        }
    }

    @Test("A session's promise to tell refusals apart holds for each reason it names")
    func codes() {
        let error = AutofillError.refused([])
        #expect(!error.isRefused(for: .vaultLocked))
        #expect(AutofillReason.Code.domainNotAssociated.rawValue == "domain-not-associated")
    }
}
