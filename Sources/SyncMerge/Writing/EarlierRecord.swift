// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// A record as a vault has it: one from before sync is taken over, and a save writes the difference of two.
package struct EarlierRecord: Sendable {
    package let id: ObjectID
    package var created: Timestamp
    package var changed: Timestamp
    package var user: String
    /// The first is the site for which it was saved; at least one.
    package var sites: [String]
    package var password: SyncSecret
    /// The oldest first.
    package var formerPasswords: [Former] = []
    package var code: SyncSecret?
    /// The oldest first.
    package var formerCodes: [Former] = []
    /// Of the codes that have one, the former ones too.
    package var counters: [Counter] = []
    package var fields: [String: SyncSecret] = [:]
    package var isDeleted = false

    /// A secret, and when it was replaced or removed.
    package struct Former: Sendable {
        package let secret: SyncSecret
        package let replaced: Timestamp

        package init(_ secret: SyncSecret, replaced: Timestamp) {
            self.secret = secret
            self.replaced = replaced
        }
    }

    /// The counter of a one-time-code secret.
    package struct Counter: Sendable {
        package let uri: SyncSecret
        package let value: UInt64

        package init(of uri: SyncSecret, value: UInt64) {
            self.uri = uri
            self.value = value
        }
    }

    package init(
        id: ObjectID, created: Timestamp, changed: Timestamp, user: String, sites: [String], password: SyncSecret
    ) {
        self.id = id
        self.created = created
        self.changed = changed
        self.user = user
        self.sites = sites
        self.password = password
    }

    /// Its elements. The stamps follow from the record alone, so that two copies of one vault have the same ones and equal values
    /// appear once.
    package var elements: [Element] {
        var elements = [element(.user(user), at: changed)]
        for site in sites { elements.append(element(.site(site), at: changed)) }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            elements.append(element(.field(name, value), at: changed))
        }
        for (secret, start) in started(formerPasswords, then: password) {
            let value = ElementValue.password(secret, site: sites.first ?? "", user: user)
            elements.append(element(value, at: start))
        }
        if code == nil, let removed = formerCodes.last?.replaced {
            elements.append(element(.code(nil), at: removed))
        }
        for (secret, start) in started(formerCodes, then: code) {
            elements.append(element(.code(OneTimeCode(uri: secret, nonce: nonce(from: start))), at: start))
        }
        return elements
    }

    /// Each secret with the time since which it was in use, ascending: when the one before it was replaced. The first is as old as the
    /// record, unless the history was full and may have lost older ones.
    func started(_ former: [Former], then present: SyncSecret?) -> [(SyncSecret, Timestamp)] {
        var start = created
        if former.count >= Credential.previousLimit, let first = former.first { start = first.replaced.later(by: -1) }
        var started: [(SyncSecret, Timestamp)] = []
        for entry in former {
            started.append((entry.secret, start))
            start = max(entry.replaced, start.later(by: 1))
        }
        if let present { started.append((present, start)) }
        return started
    }

    /// The random bits of a stamp from before sync are a hash of what differs among values of one time.
    private func element(_ value: ElementValue, at time: Timestamp) -> Element {
        var hash = FNV1a()
        switch value {
        case .password: hash.combine("password")
        case .code: hash.combine("code")
        case .site(let site): hash.combine("site " + site)
        case .user: hash.combine("user")
        case .field(let name, _): hash.combine("field " + name)
        case .unknown(let number, _): hash.combine("kind \(number)")
        }
        return Element(stamp: Stamp(time: time, origin: .beforeSync, random: hash.value), value: value)
    }

    private func nonce(from start: Timestamp) -> OneTimeCode.Nonce {
        var hash = FNV1a()
        hash.combine(id.high)
        hash.combine(id.low)
        hash.combine(UInt64(bitPattern: start.milliseconds))
        return hash.value
    }
}
