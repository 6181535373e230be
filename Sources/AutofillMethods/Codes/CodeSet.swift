// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import OneTimeCodes
internal import Reasons
internal import SecretMemory

extension CodeSet: JudgedCall {
    typealias Area = CodeMethods

    func promptText(_ views: CodeViews) throws(Unsettled) -> String? {
        "set the one-time-code secret for \(try views.credentials.shownCredential(name)), whoever saved the password"
    }

    func judge(_ views: CodeViews, _ request: RequestView) throws(Unsettled) -> CodeChange {
        let password = try uri.withUnsafeBytes { bytes throws(Unsettled) in
            do throws(OneTimePasswordError) {
                return try OneTimePassword(uri: bytes)
            } catch {
                throw .invalid("uri", error.expected)
            }
        }
        // What is kept, and exported, can be sent again.
        guard password.uri.count <= Limits.codeURIBytes else {
            throw .invalid(
                "uri", "an otpauth URI of at most \(Limits.codeURIBytes) bytes with all its parameters and %XX")
        }
        guard name.id != nil || name.user != nil || !password.account.isEmpty else {
            throw .invalid("uri", "an otpauth URI that names an account, or send \"user\" too")
        }
        return try views.change(of: name, account: password.account, to: password.uri, request)
    }

    func act(on change: CodeChange, _ effects: CodeEffects) throws(Refusal) -> SavedAnswer {
        let saved = try effects.change(change, ifVersion: ifVersion)
        effects.credentials.saved.ownCode(saved, of: change.named)
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }
}
