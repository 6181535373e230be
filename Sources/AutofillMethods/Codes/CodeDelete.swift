// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CodeDelete: JudgedCall {
    typealias Area = CodeMethods

    func promptText(_ views: CodeViews) throws(Unsettled) -> String? {
        "delete the one-time-code secret for \(try views.credentials.shownCredential(name))"
    }

    func judge(_ views: CodeViews, _ request: RequestView) throws(Unsettled) -> CodeChange {
        try views.change(of: name, to: nil, request)
    }

    func act(on change: CodeChange, _ effects: CodeEffects) throws(Refusal) -> Changed {
        Changed(try effects.change(change, ifVersion: ifVersion).changed)
    }
}
