// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
package import Reasons

/// Why a request has no decision: it is refused, or it waits and is judged again afterwards.
package enum Unsettled: RequestError {
    case refused(RefusedRequest)
    case waits(for: Awaited)

    package init(_ refused: RefusedRequest) { self = .refused(refused) }

    /// The refusals; nil where the request waits or is malformed.
    package var refusals: [Refusal]? {
        if case .refused(.refused(let refusals)) = self { refusals } else { nil }
    }

    /// Whether this one reason is all that refuses it.
    package func isOnly(_ reason: Reason) -> Bool { refusals?.map(\.reason) == [reason] }

    /// What remains of it where nothing can be waited for.
    package var settled: RefusedRequest {
        switch self {
        case .refused(let refused): refused
        case .waits: .refused([.vaultBusy])
        }
    }
}

/// Runs a read of the vault. Its error becomes a refusal, or the request continues in another turn.
func attempting<Result>(_ body: () throws(VaultError) -> Result) throws(Unsettled) -> Result {
    do throws(VaultError) { return try body() } catch {
        throw error == .unfinished ? .waits(for: .turn) : Unsettled([error.refusal])
    }
}
