// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import SecretMemory

/// The values of references, each credential read once: a recorded release to autofillctl.
struct SecretValues {
    private let session: AutofillSession
    private let proof: Proof
    private var credentials: [[String?]: CredentialGet.Answer] = [:]
    private var values: [SecretReference: SecretBytes] = [:]

    init(_ session: AutofillSession, proof: Proof) { (self.session, self.proof) = (session, proof) }

    mutating func value(of reference: SecretReference) async throws(CommandFailure) -> SecretBytes {
        if let value = values[reference] { return value }
        let value = try await read(reference)
        values[reference] = value
        return value
    }

    private mutating func read(_ reference: SecretReference) async throws(CommandFailure) -> SecretBytes {
        let (session, proof) = (session, proof)
        let named = CredentialArguments(site: reference.site, user: reference.user)
        if reference.field == .code {
            return try await named.perform(session, proof) { () async throws(CommandFailure) in
                try await session.call(CodeGet(try named.name(), proof: proof)).code
            }
        }
        let key = [reference.site, reference.user]
        let credential: CredentialGet.Answer
        if let former = credentials[key] {
            credential = former
        } else {
            credential = try await named.release(session, proof)
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
