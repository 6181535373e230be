// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import SecretMemory

extension ServiceIdentifier {
    package static let shop = Self(domain: "shop.example.com")
    package static let bank = Self(domain: "bank.example.com")

    package init(domain: String) { self.init(type: "domain", value: domain) }

    package static func url(_ text: String) -> Self { Self(type: "url", value: text) }
    package static func origin(_ text: String) -> Self { Self(type: "origin", value: text) }
}

extension [FieldDescription] {
    /// A sign-up form with a confirmation field.
    package static var signUp: Self {
        [
            FieldDescription(id: "mail", contentType: "username", keyboardType: "emailAddress"),
            FieldDescription(
                id: "new", contentType: "newPassword", isSecure: true,
                passwordRules: "required: upper; required: digit;"),
            FieldDescription(id: "again", contentType: "newPassword", isSecure: true),
        ]
    }

    package static var signIn: Self {
        [
            FieldDescription(id: "mail", contentType: "username"),
            FieldDescription(id: "password", contentType: "password", isSecure: true),
        ]
    }
}

extension Proof {
    /// With the key of every vault in tests.
    package static var test: Self { .key(SecretBytes(copying: TestFiles.key, count: TestFiles.key.count)) }
    /// With a key that opens no vault.
    package static var wrong: Self { .key(SecretBytes(copying: repeatElement(0, count: 32), count: 32)) }
}

extension SecretBytes {
    /// Of a test's own secret.
    package var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension CredentialSave {
    /// At the shop, unless another service is passed.
    package init(
        _ user: String, _ password: String, at service: ServiceIdentifier = .shop, proof: Proof? = nil
    ) {
        self.init(service: service, user: user, password: SecretBytes(utf8: password), proof: proof)
    }
}

extension SignInStart {
    package init(name: String, account: String, password: SecretBytes, interaction: Interaction = .allow) {
        self.init(place: SignInPlace(account: account), name: name, password: password, interaction: interaction)
    }
}

extension ServiceConnection {
    /// Sends a form with a password; what confirms that the site accepted it.
    package func submission(
        of form: FormDescription, at service: ServiceIdentifier = .shop, interaction: Interaction = .allow
    ) throws -> AutofillConfirm {
        guard let id = try answer(to: AutofillSubmit(service: service, form: form)).submission else {
            throw NothingSubmitted()
        }
        return AutofillConfirm(submission: id, interaction: interaction)
    }

    /// A form without a password.
    package struct NothingSubmitted: Error {}
}
