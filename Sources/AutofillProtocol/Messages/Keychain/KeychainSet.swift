// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct KeychainSet: ProvableCall, InteractingCall {
    package typealias Answer = KeychainSaved
    package static let declaration = MethodDeclaration(
        .keychainSet, "Stores secret bytes: Apple's generic password.", .own, app: .registered, vault: .open,
        proof: .instead, prompt: true, repeatable: true)

    /// Which item.
    package enum Target: Hashable, Sendable {
        /// The one with this id, which is there.
        case item(String)
        /// The one with this `place`; it is created if there is none.
        case place(ItemPlace)
        /// One without a `place`.
        case attributes(accessGroup: String?)
    }

    package let target: Target
    package let details: ItemDetails
    package let data: SecretBytes?
    package let replace: Bool?
    package let times: ItemTimes
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        _ target: Target, details: ItemDetails = ItemDetails(), data: SecretBytes?, replace: Bool? = nil,
        times: ItemTimes = ItemTimes(), ifVersion: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        (self.target, self.details, self.data, self.replace, self.times) = (target, details, data, replace, times)
        switch target {
        case .item(let id): item = id
        case .place(let named): (place, accessGroup) = (named.name, named.accessGroup)
        case .attributes(let group): accessGroup = group
        }
        (self.ifVersion, self.interaction, self.proof) = (ifVersion, interaction, proof)
    }

    /// Not if each request creates another item, nor if the second would find the item of the first.
    package var isRepeatable: Bool {
        switch target {
        case .item: true
        case .place: replace != false
        case .attributes: replace == true
        }
    }

    /// As received: the service refuses combinations that are not allowed.
    package private(set) var item: String?
    package private(set) var place: PlaceName?
    package private(set) var accessGroup: String?

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let item = try field(optional: "item", \.item, .id, "The id of an existing item.")
        let place = try field(
            optional: "place", \.place, .object(), "The item with this namespace and account, else a new one.")
        let group = try field.accessGroup(\.accessGroup)
        let details = try field(\.details)
        let data = try field(
            optional: "data", \.data, .data(0...Limits.itemDataBytes), "The item's bytes; needed without `item`.")
        let replace = try field(
            optional: "replace", \.replace, .boolean,
            "Whether an item with this `place`, or just these attributes, is changed: true with `place`, else false."
        )
        let times = try field(\.times)
        let target: Target
        if let item {
            target = .item(item)
        } else if let place {
            target = .place(ItemPlace(namespace: place.namespace, account: place.account, accessGroup: group))
        } else {
            target = .attributes(accessGroup: group)
        }
        var call = Self(
            target, details: details, data: data, replace: replace, times: times,
            ifVersion: try field.ifVersion(\.ifVersion), interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
        (call.item, call.place, call.accessGroup) = (item, place, group)
        return call
    }
}

extension KeychainSet {
    package init(
        namespace: String, account: String, data: SecretBytes, accessGroup: String? = nil, ifVersion: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(
            .place(ItemPlace(namespace: namespace, account: account, accessGroup: accessGroup)), data: data,
            ifVersion: ifVersion, interaction: interaction, proof: proof)
    }
}
