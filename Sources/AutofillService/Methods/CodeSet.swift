// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import OneTimeCodes
internal import SecretMemory

extension CodeSet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "set what makes the one-time codes for \(shown(service.value)), whoever saved the password"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> SavedAnswer {
        let service = try modules.apps.service(service, request)
        let password = try uri.withUnsafeBytes { bytes throws(RefusedRequest) in
            do throws(OneTimePasswordError) {
                return try OneTimePassword(uri: bytes)
            } catch {
                throw .invalid("uri", error.expected)
            }
        }
        // What is kept, and exported, can be handed in again.
        guard password.uri.count <= Limits.codeURIBytes else {
            throw .invalid(
                "uri", "an otpauth URI of at most \(Limits.codeURIBytes) bytes with all its parameters and %XX")
        }
        let user = user ?? password.account
        guard !user.isEmpty else { throw .invalid("uri", "an otpauth URI that names an account, or send \"user\" too") }
        let saved = try modules.changeCode(of: user, of: service, ifVersion: ifVersion, to: password.uri, request)
        if !request.isProven { request.session.memory.ownership.ownCode(saved, of: service) }
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }
}
