// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// Frees cached pages of an unused vault, so that an idle daemon is small.
extension VaultKeeper {
    /// Frees the page cache, where it is large and was not used for a while.
    func restWhenUnused() {
        guard let end = restTime, end <= clock.steady else { return }
        lockState.isRested = true
        guard let opened, opened.cachedBytes > Limits.cachedVaultBytes else { return }
        opened.releaseCache()
    }

    /// When that will be; nil where it was done since the last use.
    var restTime: Timestamp? {
        guard !lockState.isRested, opened != nil else { return nil }
        return Timestamp(milliseconds: lockState.lastUse + Int64(Limits.upkeepMilliseconds))
    }
}
