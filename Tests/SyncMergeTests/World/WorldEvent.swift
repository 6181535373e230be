// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge

/// What a user, an app or a fault did on one machine, and which events that machine knew: the judge decides by these alone, and not
/// by stamps and marks.
final class WorldEvent {
    enum Kind: String { case start, save, field, code, step, move, delete, undelete, purge, restore, cut }

    /// An element of a record.
    struct Key: Hashable {
        let id: ObjectID
        let mark: Mark
    }

    /// A value that the event wrote.
    struct Added: Hashable {
        let key: Key
        let kind: ElementKind
        let text: String?
    }

    let number: Int
    let kind: Kind
    let machine: Int
    let origin: FileOrigin
    /// The events that the machine had merged; the same with all that their writers knew.
    let merged: EventSet
    let seen: EventSet
    var ids: [ObjectID] = []
    var added: [Added] = []
    var dropped: Set<Key> = []
    var killed: Set<Key> = []
    /// The elements that there were of the records concerned.
    var before: [Key: Element] = [:]
    /// The id by which an app saved.
    var saved: ObjectID?
    var uri: String?
    var nonces: Set<OneTimeCode.Nonce> = []
    var count: UInt64 = 0

    init(_ number: Int, _ kind: Kind, of machine: WorldMachine) {
        self.number = number
        self.kind = kind
        self.machine = machine.key
        origin = machine.nextOrigin
        merged = machine.merged
        seen = machine.seen
    }

    /// Notes what was written in its course.
    func note(_ operations: [SyncOperation]) {
        for operation in operations {
            switch operation {
            case .add(let id, let element):
                added.append(Added(key: Key(id: id, mark: element.mark), kind: element.kind, text: element.value.text))
            case .dead(let id, let mark, _): killed.insert(Key(id: id, mark: mark))
            case .gone(let id, let mark, _): dropped.insert(Key(id: id, mark: mark))
            case .counter: break
            }
        }
    }
}

/// A rule that does not hold, and in which case.
struct WorldFault: Error, CustomStringConvertible {
    let rule: String
    let detail: String

    var description: String { "\(rule) \(detail)" }
}

func require(_ holds: Bool, _ rule: String, _ detail: @autoclosure () -> String = "") throws(WorldFault) {
    if !holds { throw WorldFault(rule: rule, detail: detail()) }
}
