// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// How many bytes of requests wait, by whose they are: what they hold stays in memory, their secrets in locked memory.
final class WaitingBytes {
    private var byAccount: [String: Int] = [:]
    private var all = 0

    /// Takes a place for a request that begins to wait; false where its app, or all together, have too much waiting.
    func enter(_ account: String, _ bytes: Int) -> Bool {
        guard byAccount[account, default: 0] + bytes <= Limits.waitingBytesPerApp, all + bytes <= Limits.waitingBytes
        else { return false }
        byAccount[account, default: 0] += bytes
        all += bytes
        return true
    }

    func leave(_ account: String, _ bytes: Int) {
        all -= bytes
        let rest = byAccount[account, default: bytes] - bytes
        byAccount[account] = rest == 0 ? nil : rest
    }
}
