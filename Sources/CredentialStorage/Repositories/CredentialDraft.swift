// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What is to be saved for a service and a user.
package struct CredentialDraft: Sendable {
    package let service: Service
    package let user: String
    package let password: SecretBytes
    /// These, where nil, leave what is there.
    package var rules: String?
    package var oneTimeCode: SecretBytes?
    package var details: DetailsChange
    package let writer: Subject

    package init(
        service: Service, user: String, password: SecretBytes, rules: String? = nil, oneTimeCode: SecretBytes? = nil,
        details: DetailsChange = DetailsChange(), writer: Subject
    ) {
        self.service = service
        self.user = user
        self.password = password
        self.rules = rules
        self.oneTimeCode = oneTimeCode
        self.details = details
        self.writer = writer
    }

    /// The credential as it would be.
    func applied(to old: Credential, at now: Timestamp) -> Credential {
        var new = old
        new.password = password
        new.rules = rules ?? old.rules
        if let oneTimeCode { new.setCode(oneTimeCode, by: writer, at: now) }
        new.apply(details, by: writer)
        new.writer = writer
        return new
    }
}
