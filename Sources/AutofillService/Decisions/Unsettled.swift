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

    /// The refusal of what cannot wait.
    var refusal: Refusal {
        switch self {
        case .refused(let refused): refused.refusals.first ?? Refusal(.internalFault)
        case .waits: .vaultBusy
        }
    }
}

extension Unsettled {
    /// Why a read of the vault has failed: a refusal, or the request continues in another turn.
    init(reading error: VaultError) { self = error == .unfinished ? .waits(for: .turn) : Unsettled([error.refusal]) }
}

/// Runs a read of the vault.
func attempting<Result>(_ body: () throws(VaultError) -> Result) throws(Unsettled) -> Result {
    do throws(VaultError) { return try body() } catch { throw Unsettled(reading: error) }
}
