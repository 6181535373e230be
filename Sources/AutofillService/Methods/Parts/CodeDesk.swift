// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// A code that came in and waits to be filled, once. It is in memory only.
struct OfferedCode {
    let service: Service
    /// The bundle ID of the app that received it.
    let source: String
    let code: SecretBytes
    let received: Timestamp
    let expires: Timestamp
}

/// The codes that other apps received, by the id that they are filled by. All times are the steady clock's.
final class CodeDesk {
    private var offered: [String: OfferedCode] = [:]
    private var entropy: SystemEntropy

    init(_ entropy: SystemEntropy) { self.entropy = entropy }

    /// Takes a code in. A later one from the same app for the same site takes the former's place: the site has sent anew.
    func add(
        _ code: SecretBytes, for service: Service, from app: String, at now: Timestamp
    ) throws(RefusedRequest) -> (id: String, expires: Timestamp) {
        dropExpired(at: now)
        for (id, code) in offered where code.service == service && code.source == app { offered[id] = nil }
        guard offered.count < Limits.offeredCodes,
            offered.values.count(where: { $0.source == app }) < Limits.codesPerApp
        else {
            throw RefusedRequest([
                Refusal(.tooManyCodes, retryAfterMilliseconds: Int64(Limits.offeredCodeMilliseconds))
            ])
        }
        let expires = now.advanced(byMilliseconds: Int64(Limits.offeredCodeMilliseconds))
        let id = ObjectID.random(.credential, using: &entropy).codeName
        offered[id] = OfferedCode(service: service, source: app, code: code, received: now, expires: expires)
        return (id, expires)
    }

    /// The codes that wait for a site, the newest first.
    func waiting(for service: Service, at now: Timestamp) -> [(id: String, code: OfferedCode)] {
        dropExpired(at: now)
        return offered.filter { $0.value.service == service }.map { (id: $0.key, code: $0.value) }
            .sorted { ($0.code.received, $0.id) > ($1.code.received, $1.id) }
    }

    /// What a code is for; nil where it is none of those that wait.
    func service(of id: String) -> Service? { offered[id]?.service }

    /// Takes a code out once it was released; nil where it is none of those that came in, `codeNotFound` where it has expired.
    func take(
        _ id: String, at now: Timestamp, where release: (OfferedCode) throws(RefusedRequest) -> Void
    ) throws(RefusedRequest) -> OfferedCode? {
        guard let code = offered[id] else { return nil }
        dropExpired(at: now)
        guard offered[id] != nil else { throw RefusedRequest(.codeNotFound) }
        try release(code)
        offered[id] = nil
        return code
    }

    private func dropExpired(at now: Timestamp) { offered = offered.filter { $0.value.expires > now } }
}

extension ObjectID {
    private static let codePrefix = "otc_"

    /// The name of a code: its own prefix before the same 32 digits.
    var codeName: String { Self.codePrefix + description.dropFirst(Self.codePrefix.count) }

    /// The credential that a code's name was made from.
    init?(codeName: String) {
        guard codeName.hasPrefix(Self.codePrefix) else { return nil }
        self.init(Kind.credential.prefix + "_" + codeName.dropFirst(Self.codePrefix.count))
    }
}
