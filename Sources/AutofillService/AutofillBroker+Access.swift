// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What the access table let a request do.
struct Access {
    /// It carried proof, and so reaches the data of every app.
    let isProven: Bool
    /// What it is about; nil for all services, which takes proof.
    let service: Service?
    let authorisation: AutofillBroker.Authorisation
    /// The object that it names, as it is in the vault.
    let object: Object

    /// The service, where the call names one or an object of one.
    var theService: Service {
        get throws(RefusedRequest) {
            guard let service else { throw RefusedRequest(.internalFault) }
            return service
        }
    }

    enum Object {
        case none
        case offer(Offer)
        case credential(Credential)
    }
}

/// What a request is about, before it is looked at.
enum AccessTarget {
    case service(ServiceIdentifier)
    case everything
    case offer(String)
    case credential(String)
}

/// A call whose row in the access table asks for a registration and an association.
protocol AccessControlled: MethodCall {
    var target: AccessTarget { get }
    var interaction: Interaction { get }
}

/// The one place where the access table is held against a request, before its handler runs.
extension AutofillBroker {
    /// The access table by method: a method without a row is refused.
    static let rows = Dictionary(
        uniqueKeysWithValues: Method.allCases.compactMap { method in
            AccessTable.row(for: method.rawValue).map { (method, $0) }
        })

    /// Proof, for every method: what needs it and has none is refused.
    func admit(_ method: Method, isProven: Bool) throws(RefusedRequest) {
        guard let row = Self.rows[method] else { throw RefusedRequest(.internalFault) }
        if row.needsProof, !isProven { throw RefusedRequest(.proofRequired) }
    }

    /// Identity, registration, association, grant and vault, for what is an app's own or is released; with proof the vault
    /// alone.
    func admit<Call: AccessControlled>(
        _ call: Call, _ client: Client, isProven: Bool
    ) throws(RefusedRequest) -> Access {
        guard let row = Self.rows[Call.method] else { throw RefusedRequest(.internalFault) }
        let (service, object) = try find(call.target, of: client, call.interaction)
        if isProven, row.admitsProof {
            _ = try openVault(call.interaction)
            return Access(isProven: true, service: service, authorisation: .granted(nil), object: object)
        }
        guard let service else { throw RefusedRequest(.proofRequired) }
        // The app's own new offer is no release of something saved.
        if row.needsGrant, !object.isOffer {
            let authorisation = try authorise(client, service, call.interaction)
            return Access(isProven: false, service: service, authorisation: authorisation, object: object)
        }
        try examine(client, .domain(service.value), for: .save, interaction: call.interaction)
        return Access(isProven: false, service: service, authorisation: .ownOnly, object: object)
    }

    private func find(
        _ target: AccessTarget, of client: Client, _ interaction: Interaction
    ) throws(RefusedRequest) -> (Service?, Access.Object) {
        switch target {
        case .everything: return (nil, .none)
        case .service(let identifier): return (try domain(identifier), .none)
        case .offer(let text):
            _ = try openVault(interaction)
            let offer = try offer(text, of: client)
            return (offer.service, .offer(offer))
        case .credential(let text):
            let open = try openVault(interaction)
            guard let id = ObjectID(text), id.kind == .credential,
                let credential = try attempting({ () throws(VaultError) in try open.credential(id) })
            else { throw RefusedRequest(.credentialNotFound) }
            return (credential.service, .credential(credential))
        }
    }
}

extension Access.Object {
    fileprivate var isOffer: Bool { if case .offer = self { true } else { false } }
}

extension CredentialSave: AccessControlled {
    var target: AccessTarget { .service(service) }
}

extension CredentialGet: AccessControlled {
    var target: AccessTarget { .service(service) }
}

extension CredentialList: AccessControlled {
    var target: AccessTarget { deleted ? .everything : service.map { .service($0) } ?? .everything }
}

extension CredentialDelete: AccessControlled {
    var target: AccessTarget { .credential(credential) }
}

extension AutofillFill: AccessControlled {
    var target: AccessTarget { offer.map { .offer($0) } ?? .credential(credential ?? "") }
}

extension AutofillAccept: AccessControlled {
    var target: AccessTarget { .offer(offer) }
}

extension AutofillDecline: AccessControlled {
    var target: AccessTarget { .offer(offer) }
    /// It never waits for the person: what is not declined expires.
    var interaction: Interaction { .forbid }
}
