// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import Credentials

extension GrantTarget {
    /// As it is stored, where a service is a site, or `GROUP/NAMESPACE`; of an app's own data that app.
    init(_ service: Service) {
        guard service.kind == .keychain else {
            self = .service(ServiceIdentifier(service))
            return
        }
        self = .keychain(GrantedItems(path: service.value) ?? .own)
    }

    /// What is saved through Secret Service, if it is for that.
    var secrets: GrantedItems? {
        switch keychain {
        case .app, .imported, .own: keychain
        case .item(_, let group): group.utf8.elementsEqual(Item.secretServiceGroup.utf8) ? keychain : nil
        case .namespace, .group, nil: nil
        }
    }

    /// What a grant lets an app do, as a prompt shows it before the name.
    var granted: String { keychain == nil ? Service.Kind.domain.granted : Service.Kind.keychain.granted }
}

extension GrantedItems {
    /// What is stored for them; for what the grantee has saved itself, the grantee.
    func service(of grantee: String) throws(Unsettled) -> Service {
        switch self {
        case .own: return Service(kind: .keychain, value: grantee)
        case .app, .imported: break
        case .namespace(_, let group): try Self.check(group, allowingReserved: false)
        case .item(let id, let group):
            try Self.check(group, allowingReserved: group == Item.secretServiceGroup)
            guard ObjectID(id)?.kind == .item else { throw .invalid("keychain.item", "the id of a keychain item") }
        case .group: throw .invalid("keychain.type", "namespace, item, app, imported or own")
        }
        return Service(kind: .keychain, value: path)
    }

    private static func check(_ group: String, allowingReserved: Bool) throws(Unsettled) {
        guard (try? BundleIdentifier(group, allowingReserved: allowingReserved)) != nil else {
            throw .invalid("keychain.accessGroup", "an access group")
        }
    }
}
