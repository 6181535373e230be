// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// How many bytes of requests wait, by whose they are: what they hold stays in memory, their secrets in locked memory.
final class WaitingBytes {
    private var byQuotaKey: [String: Int] = [:]
    private var all = 0

    /// Reserves capacity for a request that begins to wait; false where its app, or all together, have too much waiting.
    func enter(_ quotaKey: String, _ bytes: Int) -> Bool {
        guard byQuotaKey[quotaKey, default: 0] + bytes <= Limits.waitingBytesPerApp, all + bytes <= Limits.waitingBytes
        else { return false }
        byQuotaKey[quotaKey, default: 0] += bytes
        all += bytes
        return true
    }

    func leave(_ quotaKey: String, _ bytes: Int) {
        all -= bytes
        let rest = byQuotaKey[quotaKey, default: bytes] - bytes
        byQuotaKey[quotaKey] = rest == 0 ? nil : rest
    }
}
