// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
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

/// Codes that other apps received.
extension AutofillBroker {
    /// Takes a code in. A later one from the same app for the same site takes the former's place: the site has sent anew.
    func offerCode(_ call: CodeOffer, _ client: Client) throws(RefusedRequest) -> CodeOffer.Answer {
        let service = try domain(call.service)
        try examine(client, .unnamed, for: .codeSource)
        guard let app = client.app, let registration = registration(of: client) else {
            throw RefusedRequest(.internalFault)
        }
        guard registration.entitlements.isOneTimeCodeSource else {
            throw RefusedRequest(.codeSourceEntitlementMissing, [.app: app.bundleID.text])
        }
        dropExpiredCodes()
        for (id, code) in offeredCodes where code.service == service && code.source == app.bundleID.text {
            offeredCodes[id] = nil
        }
        guard offeredCodes.count < Limits.offeredCodes,
            offeredCodes.values.count(where: { $0.source == app.bundleID.text }) < Limits.codesPerApp
        else {
            throw RefusedRequest([
                Refusal(.tooManyCodes, retryAfterMilliseconds: Int64(Limits.offeredCodeMilliseconds))
            ])
        }
        let expires = now.advanced(byMilliseconds: Int64(Limits.offeredCodeMilliseconds))
        let id = ObjectID.random(.credential, using: &entropy).codeName
        offeredCodes[id] = OfferedCode(
            service: service, source: app.bundleID.text, code: call.code, received: now, expires: expires)
        return CodeOffer.Answer(code: id, expires: expires.description)
    }

    /// The codes that wait for a site, the newest first.
    func waitingCodes(for service: Service) -> [(id: String, code: OfferedCode)] {
        dropExpiredCodes()
        return offeredCodes.filter { $0.value.service == service }.map { (id: $0.key, code: $0.value) }
            .sorted { ($0.code.received, $0.id) > ($1.code.received, $1.id) }
    }

    private func dropExpiredCodes() {
        let now = now
        // Also what a clock that was set back would keep for longer.
        offeredCodes = offeredCodes.filter { $0.value.expires > now && $0.value.received <= now }
    }

    /// A code that came in is nobody's own: it takes the person's word, like what is saved.
    func authoriseIncoming(
        _ client: Client, _ service: Service, _ interaction: Interaction
    ) throws(RefusedRequest) -> Authorisation {
        try examine(client, .domain(service.value), for: .savedCredential, interaction: interaction)
        if let grant = try standing(client, service) { return .granted(grant) }
        return .granted(try ask(client, service, interaction))
    }
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
