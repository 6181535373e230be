// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Credentials
internal import Reasons
package import SecretMemory

/// A one-time code that an app received and that waits to be filled, once. It is in memory only.
package struct IncomingCode: Sendable {
    package let service: Service
    /// The bundle ID of the app that received it.
    let source: String
    package let code: SecretBytes
    let received: Timestamp
    package let expires: Timestamp
}

/// The codes that apps received, by the id that they are filled by. All times are the steady clock's.
package final class IncomingCodes {
    private var codes: [String: IncomingCode] = [:]
    private var entropy: SystemEntropy
    private let clock: ServiceClock

    init(_ environment: ServiceContext) { (entropy, clock) = (environment.entropy, environment.clock) }

    var now: Timestamp { clock.steady }

    /// Those that wait for a service, the newest first.
    func waiting(for service: Service) -> [(id: String, code: IncomingCode)] {
        codes.filter { $0.value.service == service && $0.value.expires > now }.map { (id: $0.key, code: $0.value) }
            .sorted { ($0.code.received, $0.id) > ($1.code.received, $1.id) }
    }

    /// nil for one that does not wait, or has waited too long.
    subscript(_ id: String) -> IncomingCode? { codes[id] }

    /// Whether there may be another from this app; a code replaces the one that the app received for the same service.
    func hasCapacity(for service: Service, from app: String) -> Bool {
        let others = codes.values.filter { $0.expires > now && !($0.service == service && $0.source == app) }
        return others.count < Limits.offeredCodes && others.count(where: { $0.source == app }) < Limits.codesPerApp
    }

    func add(_ code: SecretBytes, for service: Service, from app: String) -> KeptObject {
        codes = codes.filter { !($0.value.service == service && $0.value.source == app) }
        let expires = now.advanced(byMilliseconds: Int64(Limits.offeredCodeMilliseconds))
        let id = ObjectID.random(.credential, using: &entropy).codeName
        codes[id] = IncomingCode(service: service, source: app, code: code, received: now, expires: expires)
        return KeptObject(id: id, expires: expires)
    }

    func remove(_ id: String) { codes[id] = nil }

    func removeAll() { codes.removeAll() }

    func removeExpired() { codes = codes.filter { $0.value.expires > now } }

    /// When the next one expires.
    var nextExpiry: Timestamp? { codes.values.map(\.expires).min() }
}

extension ObjectID {
    private static let codePrefix = "cod_"

    /// The name of a code: its own prefix before the same 32 digits.
    package var codeName: String { Self.codePrefix + description.dropFirst(Self.codePrefix.count) }

    /// The credential that the name of a code was made from.
    package init?(codeName: String) {
        guard codeName.hasPrefix(Self.codePrefix) else { return nil }
        self.init(Kind.credential.prefix + "_" + codeName.dropFirst(Self.codePrefix.count))
    }
}
