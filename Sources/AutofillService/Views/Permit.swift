// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What a client may see of a service.
enum Authorisation: Sendable {
    /// Under this grant, or this once.
    case granted(ObjectID?)
    /// Only what this connection made or saved itself.
    case ownOnly
}

/// A field of a credential that a client accesses: each can be an app's own by itself.
package enum CredentialField {
    case password
    case code
}

/// That a service may be served to the client of a request, and by which decision. Only `Access` and `KeychainAccess` make
/// one, and only `ReleaseLog` uses it.
package struct Permit: Sendable {
    package let service: Service
    let authorisation: Authorisation

    init(_ service: Service, _ authorisation: Authorisation) {
        (self.service, self.authorisation) = (service, authorisation)
    }

    package var isGranted: Bool { if case .granted = authorisation { true } else { false } }

    /// Whether a field of a version of a credential may be shown to the client.
    package func shows(
        _ field: CredentialField, of id: ObjectID, _ version: UInt64, to request: RequestView
    ) -> Bool { isGranted || request.owns(field, of: id, version) }
}
