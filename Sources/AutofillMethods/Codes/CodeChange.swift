// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// A change of what the one-time codes of a credential are made from.
struct CodeChange: Sendable {
    let credential: Sealed<Credential>
    /// The service that the request names, and the one that the credential is kept under.
    let named, service: Service
    /// nil removes it.
    let uri: SecretBytes?
    let writer: Subject
}

extension CodeViews {
    /// Under the conditions of a save.
    func change(
        of user: String, of named: Service, to uri: SecretBytes?, _ request: RequestView
    ) throws(Unsettled) -> CodeChange {
        if !request.isProven {
            try credentials.access.examine(named, for: .save, request)
            try credentials.access.toChangeCodes(of: user, of: named, request)
        }
        let service = try credentials.saved.service(of: user, at: named, request)
        let writer = try request.writer()
        guard let found = try credentials.saved.password(of: user, for: service), !found.isDeleted else {
            throw Unsettled(.credentialNotFound)
        }
        return CodeChange(credential: found, named: named, service: service, uri: uri, writer: writer)
    }
}

extension CodeEffects {
    func change(_ change: CodeChange, ifVersion version: String?) throws(Refusal) -> Saved {
        try credentials.saved.setCode(
            change.uri, of: change.credential, by: change.writer, ifVersion: version.map(storedVersion),
            at: change.service)
    }
}
