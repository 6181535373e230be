// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension SyncState {
    /// The records that a list shows, each group once; the deleted ones too where `isAlive` is false for them.
    package var views: [RecordView] {
        ids.compactMap { id in view(of: id).flatMap { $0.id == id ? $0 : nil } }
    }

    /// What an app finds by this id; nil where no value is left.
    package func view(of id: ObjectID) -> RecordView? {
        let group = group(of: id)
        guard let least = group.first else { return nil }
        var passwords: [RecordView.Password] = [], codes: [(uri: SyncSecret?, stamp: Stamp)] = []
        var fields: [String: SyncSecret] = [:]
        for element in newestFirst(in: group) {
            switch element.value {
            case .password(let secret, let site, let user):
                if passwords.contains(where: { $0.secret == secret }) { continue }
                passwords.append(RecordView.Password(secret: secret, site: site, user: user, stamp: element.stamp))
            case .code(let code):
                if codes.contains(where: { $0.uri == code?.uri }) { continue }
                codes.append((code?.uri, element.stamp))
            case .field(let name, let value): if fields[name] == nil { fields[name] = value }
            case .site, .user, .unknown: break
            }
        }
        let logins = group.map { self.logins(of: $0) }
        let shown = codes.map { code in code.uri.map { RecordView.Code(uri: $0, stamp: code.stamp) } }
        let code = shown.first.flatMap(\.self)
        return RecordView(
            id: least, aliases: Array(group.dropFirst()), isAlive: isAlive(id), user: logins.joined().first?.user,
            sites: Set(logins.joined().map(\.site)).sorted(), password: passwords.first,
            history: Array(passwords.dropFirst()), code: code, formerCodes: shown.dropFirst().compactMap(\.self),
            counter: code.map { counter(of: $0.uri, in: group) } ?? 0, fields: fields)
    }

    /// The elements of some records together.
    func newestFirst(in group: [ObjectID]) -> [Element] {
        group.reduce([]) { Self.merged($0, records[$1]?.elements ?? []) }.reversed()
    }

    /// Two ascending lists as one.
    private static func merged(_ left: [Element], _ right: [Element]) -> [Element] {
        if left.isEmpty || right.isEmpty { return left.isEmpty ? right : left }
        var merged: [Element] = [], position = 0
        merged.reserveCapacity(left.count + right.count)
        for element in left {
            while position < right.count, right[position] < element {
                merged.append(right[position])
                position += 1
            }
            merged.append(element)
        }
        return merged + right[position...]
    }

    /// The greatest counter of a secret, under all nonces with which it was written.
    package func counter(of uri: SyncSecret, in group: [ObjectID]) -> UInt64 {
        nonces(of: uri, in: group).compactMap { counters[$0]?.values.map(\.value).max() }.max() ?? 0
    }

    /// The nonces with which these records have a secret.
    package func nonces(of uri: SyncSecret, in group: [ObjectID]) -> Set<OneTimeCode.Nonce> {
        var found: Set<OneTimeCode.Nonce> = []
        for element in group.flatMap({ records[$0]?.elements ?? [] }) {
            if case .code(let code?) = element.value, code.uri == uri { found.insert(code.nonce) }
        }
        return found
    }
}
