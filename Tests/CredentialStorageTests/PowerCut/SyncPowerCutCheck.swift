// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SyncFiles
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// Goes on with what a power cut left, over a folder that has all that was ever put out.
struct SyncPowerCutCheck {
    private let recorded: RecordedSync
    private var group: SyncedGroup { recorded.group }

    init(_ recorded: RecordedSync) { self.recorded = recorded }

    /// Why one machine cannot have published all of these; nil: it can. A joined file has the last sequence of what it joins, and
    /// covers more; a snapshot has a sequence of its own.
    private static func fault(of files: Set<OwnFiles.OwnFile>) -> String? {
        let (snapshots, deltas) = (files.filter(\.name.isSnapshot), files.filter { !$0.name.isSnapshot })
        let numbers = Set(snapshots.map(\.name.sequence))
        if numbers.count < snapshots.count || deltas.contains(where: { numbers.contains($0.name.sequence) }) {
            return "the sequence of a snapshot is used again: \(files.map { "\($0.name)" }.sorted())"
        }
        let ranges = Set(deltas.map(\.range))
        return ranges.count < deltas.count ? "published twice: \(deltas.map { "\($0.name)" }.sorted())" : nil
    }

    /// What does not hold; nil: nothing.
    func fault(in home: TemporaryDirectory, after count: Int, of events: [DiskEvent]) throws -> String? {
        let done = recorded.steps.last { $0.step.events.upperBound <= count }
        let device = group.desktop.publicKeys.device
        let published = publishedNames(in: events.prefix(count)).compactMap { recorded.files[$0] }
        let folder = try TemporaryDirectory()
        try RecordedSync.put(
            published.map(\.bytes), published.map(\.file.name), of: device, in: group.id, at: folder.path + "/out")
        try RecordedSync.put(
            [recorded.received.bytes], [recorded.received.name], of: group.laptop.publicKeys.device, in: group.id,
            at: folder.path + "/out")

        let vault = try Vault.unlocked(home.vault, seed: 77)
        defer { vault.close() }
        guard try vault.check().isIntact else { return "not intact" }
        if let missing = try missing(done?.saves ?? [], in: vault) { return "lost here: \(missing)" }
        guard vault.store.sync != nil else {
            return done?.isStarted == true || !published.isEmpty ? "sync is not started" : nil
        }

        let spool = RecordedSync.spool(in: home), shared = SyncSpool(at: folder.path)
        let carrier = CopyingCarrier(spool, to: shared), sync = try vault.writers.sync
        let now = Timestamp.at((done?.clock ?? 0) + 10_000)
        var files = Set(published.map(\.file))
        try carrier.round(of: device, in: group.id)
        var arrivals = SyncArrivals(), hasMore = true
        while hasMore { hasMore = try sync.mergeArrived(&arrivals, from: spool, at: now).hasMore }
        // What is due is written before there is another change, or after it.
        if count.isMultiple(of: 2), try sync.tidy(spool, at: now) == .renewed { return "took itself for a copy" }
        files.formUnion(vault.store.sync?.progress.files ?? [])
        try vault.writers.credentials.save("afterwards.example", "ann", "afterwards", at: now)
        try sync.sealChanges(at: now)
        for _ in 0..<2 {
            guard try sync.tidy(spool, at: now) != .renewed else { return "took itself for a copy" }
            files.formUnion(vault.store.sync?.progress.files ?? [])
            try carrier.round(of: device, in: group.id)
        }
        if let fault = Self.fault(of: files) { return fault }

        // A newcomer has the folder alone.
        let newcomer = try SyncedVault(group.laptop, in: group, sharing: shared, seed: 4)
        try newcomer.mergeFolder(at: now)
        let all = (done?.saves ?? []).union([.init(site: "afterwards.example", password: "afterwards")])
        if let missing = try missing(all.subtracting([RecordedSync.ofOther]), in: newcomer.vault) {
            return "lost on the way: \(missing)"
        }
        return nil
    }

    /// What a carrier may have seen under a final name.
    private func publishedNames(in events: some Sequence<DiskEvent>) -> Set<SyncFileName> {
        var names: Set<SyncFileName> = []
        for event in events {
            guard case .rename(_, let path) = event, path.hasPrefix("spool/out/") else { continue }
            if let name = SyncFileName(String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])) {
                names.insert(name)
            }
        }
        return names
    }

    private func missing(_ saves: Set<RecordedSync.Save>, in vault: Vault) throws -> RecordedSync.Save? {
        try saves.sorted { $0.password < $1.password }.first { save in
            let found = try vault.readers.credentials.get(for: .domain(save.site), user: "ann")
            let all = found.map { [$0.password] + $0.previous.map(\.password) } ?? []
            return !all.contains { $0.text == save.password }
        }
    }
}
