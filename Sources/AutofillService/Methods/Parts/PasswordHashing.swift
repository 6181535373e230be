// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

extension Modules {
    /// A hash that a password can be checked against; made on another thread.
    func hash(_ password: SecretBytes, _ request: RequestContext) async throws(RefusedRequest) -> PasswordHash {
        let made = try await derivations.deriveVerifier(request) { () -> Result<PasswordHash, VaultError> in
            var entropy = SystemEntropy()
            do throws(VaultError) { return .success(try PasswordHash.make(of: password, using: &entropy)) } catch {
                return .failure(error)
            }
        }
        return try attempting { () throws(VaultError) in try made.get() }
    }

    /// Whether a hash is this password's, and then a hash by the cost of today where it is weaker.
    func check(
        _ password: SecretBytes, against hash: PasswordHash, _ request: RequestContext
    ) async throws(RefusedRequest) -> (isRight: Bool, stronger: PasswordHash?) {
        let checked = try await derivations.deriveVerifier(request) {
            () -> Result<(isRight: Bool, stronger: PasswordHash?), VaultError> in
            var entropy = SystemEntropy()
            do throws(VaultError) {
                guard try hash.matches(password) else { return .success((false, nil)) }
                return .success((true, hash.isWeak ? try PasswordHash.make(of: password, using: &entropy) : nil))
            } catch {
                return .failure(error)
            }
        }
        return try attempting { () throws(VaultError) in try checked.get() }
    }
}
