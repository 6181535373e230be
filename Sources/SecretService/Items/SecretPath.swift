// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// An object of the service, identified by its path.
package enum SecretPath: Hashable, Sendable {
    case service
    case collection(token: String)
    /// A collection by its alias.
    case alias(String)
    /// The collection in an item's path states only where the item was found.
    case item(collection: String, name: String)
    /// An item in a collection that is named by its alias.
    case aliasItem(alias: String, name: String)
    case session(UInt64)
    case prompt(UInt64)

    /// The path that D-Bus uses for no object.
    package static let none = "/"

    /// nil for a path of no object.
    package init?(_ text: String) {
        guard text.hasPrefix(SecretServiceNames.root) else { return nil }
        let rest = text.utf8.dropFirst(SecretServiceNames.root.utf8.count)
        guard !rest.isEmpty else {
            self = .service
            return
        }
        let components = text.dropFirst(SecretServiceNames.root.count).split(
            separator: "/", omittingEmptySubsequences: false
        ).dropFirst()
        guard rest.first == UInt8(ascii: "/"),
            components.allSatisfy({ !$0.isEmpty && $0.utf8.count <= BridgeLimits.nameBytes }),
            let kind = components.first
        else { return nil }
        let names = components.dropFirst().map(String.init)
        switch (kind, names.count) {
        case ("collection", 1): self = .collection(token: names[0])
        case ("collection", 2): self = .item(collection: names[0], name: names[1])
        case ("aliases", 1): self = .alias(names[0])
        case ("aliases", 2): self = .aliasItem(alias: names[0], name: names[1])
        case ("session", 1):
            guard let number = Self.number(names[0], behind: "s") else { return nil }
            self = .session(number)
        case ("prompt", 1):
            guard let number = Self.number(names[0], behind: "p") else { return nil }
            self = .prompt(number)
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .service: SecretServiceNames.root
        case .collection(let token): "\(SecretServiceNames.root)/collection/\(token)"
        case .alias(let name): "\(SecretServiceNames.root)/aliases/\(name)"
        case .item(let collection, let name): "\(SecretServiceNames.root)/collection/\(collection)/\(name)"
        case .aliasItem(let alias, let name): "\(SecretServiceNames.root)/aliases/\(alias)/\(name)"
        case .session(let number): "\(SecretServiceNames.root)/session/s\(number)"
        case .prompt(let number): "\(SecretServiceNames.root)/prompt/p\(number)"
        }
    }

    var isItem: Bool {
        switch self {
        case .item, .aliasItem: true
        default: false
        }
    }

    var isCollection: Bool {
        switch self {
        case .collection, .alias: true
        default: false
        }
    }

    private static func number(_ text: String, behind letter: Character) -> UInt64? {
        guard text.first == letter, let number = UInt64(text.dropFirst()), text == "\(letter)\(number)" else {
            return nil
        }
        return number
    }
}
