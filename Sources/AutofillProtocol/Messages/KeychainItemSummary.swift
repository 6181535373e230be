// SPDX-License-Identifier: Apache-2.0

/// An item was saved, or was there already.
package struct KeychainSaved: WireValue, Hashable {
    package let item: String
    package let changed: Bool

    package init(item: String, changed: Bool) {
        self.item = item
        self.changed = changed
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        item = try members.string("item", bytes: 1...64)
        changed = try members.bool("changed")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("item", item)
        writer.member("changed", changed)
    }
}

/// An item without its bytes.
package struct KeychainItemSummary: WireValue, Hashable {
    package let item: String
    package let accessGroup: String
    package let service: String
    /// As first saved.
    package let account: String
    package let version: Int
    package let created: String
    package let changed: String

    package init(
        item: String, accessGroup: String, service: String, account: String, version: Int, created: String,
        changed: String
    ) {
        self.item = item
        self.accessGroup = accessGroup
        self.service = service
        self.account = account
        self.version = version
        self.created = created
        self.changed = changed
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        item = try members.string("item", bytes: 1...64)
        accessGroup = try members.string("accessGroup", bytes: 1...255)
        service = try members.string("service", bytes: 0...Limits.itemNameBytes)
        account = try members.string("account", bytes: 0...Limits.itemNameBytes)
        version = try members.integer("version", in: 1...Int.max)
        created = try members.string("created", bytes: 1...64)
        changed = try members.string("changed", bytes: 1...64)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("item", item)
        writer.member("accessGroup", accessGroup)
        writer.member("service", service)
        writer.member("account", account)
        writer.member("version", version)
        writer.member("created", created)
        writer.member("changed", changed)
    }
}
