// SPDX-License-Identifier: Apache-2.0

/// The keychain items that a grant is for, or a release was of: `{"type": "namespace", "accessGroup": …, "namespace": …}`.
package enum GrantedItems: VariantMessage, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
        case namespace, item, app, imported, own, group
    }

    /// Those of a namespace in an access group.
    case namespace(String, accessGroup: String)
    /// One, by its id.
    case item(String, accessGroup: String)
    /// All that an app has saved through Secret Service.
    case app(String)
    /// All that was imported into Secret Service.
    case imported
    /// All that the grantee has saved itself.
    case own
    /// Several of an access group.
    case group(String)

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        switch try field.variant("type", \.kind, "Which items.") {
        case .namespace:
            let group = try group(&field)
            return .namespace(
                try field(
                    "namespace", \.name, .string(1...Limits.itemNameBytes), "The `namespace` of the items' `place`."),
                accessGroup: group)
        case .item:
            let group = try group(&field)
            return .item(try field("item", \.name, .id, "The item's id."), accessGroup: group)
        case .app:
            return .app(try field("bundleID", \.name, .string(1...255), "The bundle ID of the app that saved them."))
        case .imported: return .imported
        case .own: return .own
        case .group: return .group(try group(&field))
        }
    }

    private static func group(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> String {
        try field("accessGroup", \.group, .string(1...255), "The access group.")
    }

    package var kind: Kind {
        switch self {
        case .namespace: .namespace
        case .item: .item
        case .app: .app
        case .imported: .imported
        case .own: .own
        case .group: .group
        }
    }

    /// The access group that it names.
    package var accessGroup: String? {
        switch self {
        case .namespace(_, let group), .item(_, let group), .group(let group): group
        case .app, .imported, .own: nil
        }
    }

    private var group: String { accessGroup ?? SecretServiceNames.bus }

    private var name: String {
        switch self {
        case .namespace(let name, _), .item(let name, _), .app(let name): name
        case .imported: SecretServiceNames.imported
        case .own: SecretServiceNames.own
        case .group: "*"
        }
    }
}

/// The notation of commands, prompts and the vault: `GROUP/NAMESPACE`. No access group has a slash.
extension GrantedItems {
    package var path: String { "\(group)/\(name)" }

    /// nil without a slash.
    package init?(path: String) {
        let components = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard components.count == 2 else { return nil }
        let (group, name) = (String(components[0]), String(components[1]))
        let isOfSecretService = group == SecretServiceNames.bus
        self =
            switch name {
            case "*": .group(group)
            case _ where name.hasPrefix("itm_") && name.utf8.count == 36: .item(name, accessGroup: group)
            case SecretServiceNames.own where isOfSecretService: .own
            case SecretServiceNames.imported where isOfSecretService: .imported
            default: isOfSecretService ? .app(name) : .namespace(name, accessGroup: group)
            }
    }
}

extension WireType where Self == VariantType<GrantedItems> {
    package static var grantedItems: Self { VariantType(GrantedItems.Kind.allCases) }
    /// Those that a grant can be for.
    package static var grantableItems: Self { VariantType(GrantedItems.Kind.allCases.filter { $0 != .group }) }
}
