// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge

extension SyncWorld {
    /// What must hold at the end, judged by what each event knew.
    func judge() throws(WorldFault) {
        let state = present[0].state
        var merged = EventSet()
        for machine in present {
            try require(machine.state == state, "machines differ", "\(present[0].key) \(machine.key)")
            try require(!machine.hasTwin, "a twin is left")
            merged.formUnion(machine.merged)
        }
        let judgement = Judgement(world: self, state: state, merged: merged)
        try judgement.run()
        count("aliases", by: judgement.views.values.reduce(0) { $0 + ($1.isAlive ? $1.aliases.count : 0) })
    }
}

/// The end of a world: what all machines have, and which events had which effect.
struct Judgement {
    let world: SyncWorld
    let state: SyncState
    let merged: EventSet
    /// The events that reached somebody and count, and those beyond a cut.
    let events: [WorldEvent]
    let foul: [WorldEvent]
    let views: [ObjectID: RecordView]
    let here: [WorldEvent.Key: Element]
    let dropped: Set<WorldEvent.Key>
    /// The records that a removed machine touched beyond its cut.
    let tainted: Set<ObjectID>

    init(world: SyncWorld, state: SyncState, merged: EventSet) {
        func counts(_ event: WorldEvent) -> Bool { event.kind == .start || state.counts(event.origin) }
        let met = world.events.filter { merged.contains($0.number) }
        self.world = world
        self.state = state
        self.merged = merged
        events = met.filter(counts)
        foul = world.events.filter { !counts($0) }
        views = Dictionary(uniqueKeysWithValues: state.ids.compactMap { id in state.view(of: id).map { (id, $0) } })
        var here: [WorldEvent.Key: Element] = [:]
        for (id, record) in state.records {
            for element in record.elements { here[WorldEvent.Key(id: id, mark: element.mark)] = element }
        }
        self.here = here
        dropped = met.reduce(into: []) { $0.formUnion($1.dropped) }
        tainted = foul.reduce(into: []) {
            $0.formUnion($1.dropped.map(\.id))
            $0.formUnion($1.killed.map(\.id))
            $0.formUnion($1.added.map(\.key.id))
        }
    }

    func run() throws(WorldFault) {
        try requireNothingLost()
        try requireCutsHeld()
        try requireCounters()
        try requireDeletions()
        try requireViews()
        try requireNewestInUse()
        for event in world.started.values {
            try require(Set(event.added).count == 1, "copies of one record have different stamps")
        }
    }

    private func requireNothingLost() throws(WorldFault) {
        let removed = Set(world.machines.filter(\.isRemoved).map(\.key))
        for event in world.events where !merged.contains(event.number) {
            let isExcused =
                event.kind != .start && !state.counts(event.origin) || world.lost.contains(event.number)
                || removed.contains(event.machine)
            try require(isExcused, "lost on the way", "\(event.kind) \(event.number)")
        }
        for event in events {
            for key in event.dropped { try require(here[key] == nil, "a dropped element is back", "\(event.kind)") }
            for added in event.added where !dropped.contains(added.key) {
                let view = views[added.key.id], text = added.text
                let isThere =
                    switch added.kind {
                    case .password: view?.passwordTexts.contains { $0 == text } ?? false
                    case .code where text != nil: view?.codeTexts.contains(text) ?? false
                    default: here[added.key] != nil
                    }
                try require(isThere, "lost", "\(added.kind) \(text ?? "-") of \(event.kind)")
            }
            if let id = event.saved {
                let passwords = event.added.filter { $0.kind == .password }
                let isThere = views[id]?.passwordTexts.contains { $0 == passwords.first?.text } ?? false
                let isDropped = passwords.contains { dropped.contains($0.key) }
                try require(isThere || isDropped, "lost for the app that saved it")
            }
        }
    }

    private func requireCutsHeld() throws(WorldFault) {
        for event in foul {
            let isWritten = event.added.contains { here[$0.key] != nil }
            try require(!isWritten, "a removed machine's write")
            let isKilled = event.killed.contains {
                state.records[$0.id]?.dead[$0.mark]?.contains(event.origin) ?? false
            }
            try require(!isKilled, "a removed machine's deletion")
        }
    }

    private func requireCounters() throws(WorldFault) {
        for event in events where event.kind == .step {
            for id in event.ids where !tainted.contains(id) {
                guard let view = views[id], let code = view.code, code.uri.text == event.uri else { continue }
                let nonces = state.nonces(of: code.uri, in: state.group(of: id))
                guard !nonces.isDisjoint(with: event.nonces) else { continue }
                try require(view.counter >= event.count, "a counter went back")
            }
        }
    }

    /// A record is deleted if, and only if, a deletion knew all that was written.
    private func requireDeletions() throws(WorldFault) {
        for id in Set(events.flatMap(\.added).map(\.key.id)).subtracting(tainted) {
            let writes = events.filter { $0.added.contains { $0.key.id == id } }
            let deletions = events.filter { $0.killed.contains { $0.id == id } }
            let isAlive = views[id]?.isAlive ?? false
            let isUnseen = writes.contains { write in
                !deletions.contains {
                    $0 === write || $0.seen.contains(write.number) || $0.merged.contains(write.number)
                }
            }
            if isUnseen {
                try require(isAlive, "hidden by a deletion that had not seen it")
            } else if writes.allSatisfy({ write in deletions.contains { $0.merged.contains(write.number) } }) {
                try require(!isAlive, "not deleted")
            }
            if isAlive, !writes.contains(where: { world.renamed.contains($0.origin.device) }) {
                let kinds = Set(state.records[id]?.elements.map(\.kind) ?? [])
                try require(kinds.isSuperset(of: [.user, .site]), "without a user or a site")
            }
        }
    }

    private func requireViews() throws(WorldFault) {
        var shown: [Login: ObjectID] = [:]
        for (id, view) in views where view.isAlive {
            for login in state.logins(of: id) {
                try require(shown[login] ?? view.id == view.id, "two records for one login")
                shown[login] = view.id
            }
        }
        for view in views.values {
            try require(Set(view.passwordTexts).count == view.passwordTexts.count, "a password is shown twice")
        }
    }

    /// No value is in use while a newer one is there whose writer knew it.
    private func requireNewestInUse() throws(WorldFault) {
        let writers = events.filter { $0.kind != .undelete && $0.kind != .start }
        for (id, view) in views where view.id == id {
            let group = Set([id] + view.aliases)
            let inGroup = here.filter { group.contains($0.key.id) && $0.value.kind != .site }
            for (kind, elements) in Dictionary(grouping: inGroup, by: { $0.value.kind }) {
                let use = text(inUse: kind, of: view)
                let used = elements.filter { $0.value.value.text == use }.map(\.key)
                try require(!used.isEmpty, "in use, but not there", "\(kind)")
                let present = Set(elements.map(\.key))
                for event in writers {
                    for added in event.added where present.contains(added.key) && added.text != use {
                        let knewAll = used.allSatisfy { knew(event, $0, writing: added.key.id) }
                        try require(!knewAll, "an older value is in use", "\(kind) \(use ?? "-") \(event.kind)")
                    }
                }
            }
        }
    }

    private func knew(_ event: WorldEvent, _ key: WorldEvent.Key, writing id: ObjectID) -> Bool {
        let isThere =
            event.before[key] != nil || world.copies[key]?.contains { event.before[$0] != nil } ?? false
        return isThere && (event.kind != .restore || key.id == id)
    }

    private func text(inUse kind: ElementKind, of view: RecordView) -> String? {
        switch kind {
        case .password: view.password?.secret.text
        case .code: view.code?.uri.text
        case .user: view.user
        case .field(let name): view.fields[name]?.text
        case .site, .unknown: nil
        }
    }
}
