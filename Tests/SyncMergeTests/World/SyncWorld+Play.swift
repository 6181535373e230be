// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge

extension SyncWorld {
    /// One thing that a user or an app does on one machine, and what it must see at once.
    func play(on machine: WorldMachine) throws(WorldFault) {
        // On a machine that knows of its own removal nothing is done.
        guard !machine.wasCut else { return }
        let state = machine.state
        let alive = state.ids.filter { state.isAlive($0) }
        guard let id = alive.isEmpty ? nil : pick(alive), let view = state.view(of: id) else {
            return try save(newID(), on: machine)
        }
        // A vault does not show what has no site: its site went with files that do not count.
        guard !view.sites.isEmpty else { return }
        try checkHeld(id, view, on: machine)
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.17: try save(nil, on: machine)
        case ..<0.34: try replacePassword(of: id, view, on: machine)
        case ..<0.48: try setField(of: id, on: machine)
        case ..<0.54: try setCode(of: id, view, on: machine)
        case ..<0.66 where view.code != nil: try step(id, view, on: machine)
        case ..<0.75: try move(id, view, on: machine)
        case ..<0.85:
            let ids = machine.group(of: id)
            try machine.act(.delete, on: ids) { writer, _ in writer.delete(id) }
            try require(!ids.contains { machine.state.isAlive($0) }, "not deleted where it was")
        default: try undelete(on: machine)
        }
    }

    /// An app that remembers (id, version) and finds that version again finds the content that it saw.
    private func checkHeld(_ id: ObjectID, _ view: RecordView, on machine: WorldMachine) throws(WorldFault) {
        if let held = held[machine.key], machine.vault.versions[held.id] == held.version {
            let isSame = machine.state.view(of: held.id)?.isSame(as: held.view) ?? false
            try require(isSame, "a stale version matched")
        }
        if chance(0.2), let version = machine.vault.versions[id] { held[machine.key] = (id, version, view) }
    }

    private func save(_ new: ObjectID?, on machine: WorldMachine) throws(WorldFault) {
        let (site, user, password) = (pick(Self.sites), pick(Self.users), newText("p"))
        let state = machine.state
        let stored = state.records(with: Login(site: site, user: user))
        let id = new ?? stored.first { state.isAlive($0) } ?? newID()
        if let view = state.view(of: id) { return try replacePassword(of: id, view, on: machine) }
        try machine.act(.save, on: [id], near: stored) { writer, event in
            event.saved = id
            writer.create(id, site: site, user: user, password: SyncSecret(password))
        }
        try require(machine.state.view(of: id)?.password?.secret.text == password, "not saved")
    }

    private func replacePassword(of id: ObjectID, _ view: RecordView, on machine: WorldMachine) throws(WorldFault) {
        let password = chance(0.1) ? pick(view.passwordTexts + [newText("p")]) : newText("p")
        if view.history.count >= Credential.previousLimit { count("evictions") }
        try machine.act(.save, on: machine.group(of: id)) { writer, event in
            event.saved = id
            writer.setPassword(
                SyncSecret(password), site: view.sites.first ?? Self.sites[0], user: view.user ?? Self.users[0], of: id)
        }
        let expected = [password] + view.passwordTexts.filter { $0 != password }.prefix(Credential.previousLimit)
        try require(machine.state.view(of: id)?.passwordTexts == expected, "the history is not what it was")
    }

    private func setField(of id: ObjectID, on machine: WorldMachine) throws(WorldFault) {
        let (name, value) = (pick(["label", "notes", "x-later-version"]), newText("l"))
        try machine.act(.field, on: machine.group(of: id)) { writer, _ in
            writer.setField(name, to: SyncSecret(value), of: id)
        }
        try require(machine.state.view(of: id)?.fields[name]?.text == value, "a field was not set")
    }

    private func setCode(of id: ObjectID, _ view: RecordView, on machine: WorldMachine) throws(WorldFault) {
        let uri = pick([newText("otp"), newText("otp"), nil] + view.formerCodes.prefix(1).map(\.uri.text))
        try machine.act(.code, on: machine.group(of: id)) { writer, _ in
            writer.setCode(uri.map { SyncSecret($0) }, of: id)
        }
        try require(machine.state.view(of: id)?.code?.uri.text == uri, "a code was not set")
    }

    private func step(_ id: ObjectID, _ view: RecordView, on machine: WorldMachine) throws(WorldFault) {
        let ids = machine.group(of: id), state = machine.state, uri = view.code?.uri.text
        let counter = try machine.act(.step, on: ids) { writer, event in
            event.uri = uri
            event.nonces = view.code.map { state.nonces(of: $0.uri, in: ids) } ?? []
            event.count = writer.advanceCounter(of: id) ?? 0
            return event.count
        }
        let shown = machine.state.view(of: id)?.counter
        try require(shown == counter && counter > view.counter, "a counter did not advance")
    }

    private func move(_ id: ObjectID, _ view: RecordView, on machine: WorldMachine) throws(WorldFault) {
        let user = pick([view.user ?? Self.users[0], pick(Self.users)])
        let two = Array(Self.sites.shuffled(using: &random).prefix(2))
        let sites = pick([view.sites.isEmpty ? two : Array(view.sites.prefix(1)), Array(two.prefix(1)), two])
        try machine.act(.move, on: machine.group(of: id)) { writer, _ in writer.move(id, user: user, sites: sites) }
        let moved = machine.state.view(of: id)
        try require(moved?.user == user && Set(sites).isSubset(of: moved?.sites ?? []), "not moved")
    }

    private func undelete(on machine: WorldMachine) throws(WorldFault) {
        let dead = machine.state.ids.filter { !machine.state.isAlive($0) }
        guard !dead.isEmpty else { return }
        let id = pick(dead), ids = machine.group(of: id)
        guard let before = machine.state.view(of: id) else { return }
        try machine.act(.undelete, on: ids) { writer, _ in writer.undelete(id) }
        guard let after = machine.state.view(of: id) else { throw WorldFault(rule: "not undeleted", detail: "") }
        try require(after.isAlive, "not undeleted")
        if machine.group(of: id) == ids {
            try require(after.hasSameContent(as: before), "undeleted without all")
        } else {
            let isComplete = Set(before.passwordTexts).isSubset(of: after.passwordTexts)
            try require(isComplete, "undeleted without all")
        }
    }

    /// Purges what every member has shown to be deleted.
    func purge(on machine: WorldMachine) throws(WorldFault) {
        guard !machine.wasCut else { return }
        for id in machine.state.ids where machine.state.contains(id) && !machine.state.isAlive(id) {
            let ids = machine.group(of: id), state = machine.state
            let others = Set(present.map(\.device)).subtracting([machine.device])
            guard machine.vault.files.mayPurge(ids, of: state, others: others, deletedFor: 0) else { continue }
            if !machine.isRemoved { try requireDeleted(ids, of: state) }
            try machine.act(.purge, on: ids) { writer, _ in writer.purge(id) }
            try require(!ids.contains { machine.state.contains($0) }, "not purged")
        }
    }

    private func requireDeleted(_ ids: [ObjectID], of state: SyncState) throws(WorldFault) {
        for member in present where !renamed.contains(member.device) {
            for id in ids {
                let record = member.state.records[id]
                for element in state.records[id]?.elements ?? [] {
                    let origins = state.records[id]?.dead[element.mark] ?? []
                    let isDoubtful = origins.contains { cuts[$0.device] != nil || renamed.contains($0.device) }
                    let knows = record?.dead[element.mark] != nil || record?.gone[element.mark] != nil
                    try require(knows || isDoubtful, "purged too early", "\(id)")
                }
            }
        }
    }
}
