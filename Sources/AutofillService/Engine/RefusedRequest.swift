// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// Why a request is not answered: every reason, in the order of protocol.md, or what is not well formed in it.
enum RefusedRequest: Error {
    case refused([Refusal])
    case malformed(ProtocolProblem)
    /// Not decided yet: judged anew when this has come about.
    case waits(on: Awaited)

    init(_ refusals: [Refusal]) { self = .refused(refusals) }

    init(_ reason: Reason, _ parameters: [Refusal.Parameter: String] = [:]) {
        self = .refused([Refusal(reason, parameters)])
    }

    static func invalid(_ member: String, _ expected: String) -> RefusedRequest {
        .malformed(ProtocolProblem(.parameterInvalid, member: member, detail: expected))
    }

    /// A parameter of the right type that its own module refuses: why, and what mends it, each in a sentence or more.
    static func invalid(_ member: String, because reason: String, fix: String) -> RefusedRequest {
        let mended = fix.hasSuffix(".") ? String(fix.dropLast()) : fix
        return .malformed(ProtocolProblem(.parameterInvalid, member: member, detail: reason, fix: mended))
    }
}

/// Runs what the vault does, and turns its error into a refusal, or has the request go on in another turn.
func attempting<Result>(_ body: () throws(VaultError) -> Result) throws(RefusedRequest) -> Result {
    do throws(VaultError) { return try body() } catch {
        throw error == .unfinished ? .waits(on: .turn) : RefusedRequest([error.refusal])
    }
}
