// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

/// The values of references, each credential read once: a recorded release to autofillctl.
struct SecretValues {
    private let session: AutofillSession
    private let proof: Proof
    private let evidence: String
    private var credentials: [[String?]: CredentialGet.Answer] = [:]
    private var values: [SecretReference: SecretBytes] = [:]

    /// - Parameter purpose: what the values are for: recorded with each release, as far as that has space.
    init(_ session: AutofillSession, proof: Proof, for purpose: String) {
        (self.session, self.proof) = (session, proof)
        evidence = purpose.prefix(bytes: Limits.delegateEvidenceBytes)
    }

    mutating func value(of reference: SecretReference) async throws(CommandFailure) -> SecretBytes {
        if let value = values[reference] { return value }
        let value = try await read(reference)
        values[reference] = value
        return value
    }

    private mutating func read(_ reference: SecretReference) async throws(CommandFailure) -> SecretBytes {
        let (session, proof, evidence) = (session, proof, evidence)
        let named = CredentialArguments(site: reference.site, user: reference.user)
        if reference.field == .code {
            return try await named.perform(session, proof) { () async throws(CommandFailure) in
                try await session.call(CodeGet(try named.name(), proof: proof), for: evidence).code
            }
        }
        let key = [reference.site, reference.user]
        let credential: CredentialGet.Answer
        if let former = credentials[key] {
            credential = former
        } else {
            credential = try await named.release(session, proof, for: evidence)
            credentials[key] = credential
        }
        switch reference.field {
        case .password, .code: return credential.password
        case .user: return SecretBytes(utf8: credential.summary.user)
        case .label: return SecretBytes(utf8: credential.summary.label)
        case .notes: return credential.notes ?? SecretBytes(utf8: "")
        case .custom(let name):
            let fields = credential.fields ?? []
            if let field = fields.first(where: { $0.name == name }) { return field.value }
            let near = name.nearest(of: fields.map(\.name) + ["password", "user", "code", "notes", "label"])
            throw CommandFailure(
                .notFound, "\(credential.summary.text) has no field \(name.quoted)",
                fix: near.map { CommandLineFix.fix(name, $0) }
                    ?? "See its fields: autofillctl get \(credential.summary.credential) --reveal")
        }
    }
}

extension String {
    /// As many characters as so many bytes hold.
    fileprivate func prefix(bytes limit: Int) -> String {
        var text = Substring(self)
        while text.utf8.count > limit { text.removeLast() }
        return String(text)
    }
}
