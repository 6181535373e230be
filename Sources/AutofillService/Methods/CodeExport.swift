// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What the codes of a credential are made from.
extension CodeExport: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let service = try modules.apps.service(service, request)
        let open = try modules.vault.unlocked()
        let credential = try attempting { () throws(VaultError) in
            try open.readers.credentials.get(for: service, user: user)
        }
        guard let credential, credential.deleted == nil, let uri = credential.oneTimeCode else {
            throw RefusedRequest(.codeNotFound)
        }
        try modules.audit.release(credential.id, service, request, .granted(nil))
        return Answer(uri: uri)
    }
}
