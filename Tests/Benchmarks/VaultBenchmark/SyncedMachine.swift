// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import SyncCarrier
import SyncFiles
import SyncMerge

/// A group of two machines with one epoch key.
struct SyncedGroup {
    let first: KeyPairs
    let second: KeyPairs
    let members: MemberRegister

    init() throws {
        var entropy: any RandomNumberGenerator = SystemEntropy()
        first = try KeyPairs.random(using: &entropy)
        second = try KeyPairs.random(using: &entropy)
        let recovery = try KeyPairs.random(using: &entropy)
        let founding = try SignedStatement.founding(by: first, recovery: recovery.publicKeys, using: &entropy)
        guard var members = MemberRegister(founding: founding) else { throw BenchmarkFailure.group }
        members.insert([
            try SignedStatement.admission(of: second.publicKeys, to: members.group, by: first, sequence: 1)
        ])
        guard let epoch = try members.newEpoch(by: first, sequence: 1, using: &entropy) else {
            throw BenchmarkFailure.group
        }
        members.insert([epoch.statement])
        self.members = members
    }
}

enum BenchmarkFailure: Error {
    case group, nothingMerged, carrier(String)
}

/// A machine of the group: its vault, its spool, and the carrier to the folder.
final class SyncedMachine {
    let vault: Vault
    let spool: SyncSpool
    private let keys: KeyPairs
    private let members: MemberRegister
    private var carrier: FolderCarrier
    private var arrivals = SyncArrivals()

    init(_ vault: Vault, _ keys: KeyPairs, in group: SyncedGroup, spool path: String, folder: String) throws {
        (self.vault, self.keys, members) = (vault, keys, group.members)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        spool = SyncSpool(at: path)
        try spool.make()
        let own = CarrierConfiguration.Own(
            group: group.members.group.hexadecimal, device: keys.publicKeys.device.hexadecimal)
        carrier = FolderCarrier(folder: folder, own: own, spool: SpoolDirectory(path))
    }

    var sync: StoredSync { get throws { try vault.sync } }

    func start(at now: Timestamp) throws { try sync.start(keys, members, deviceName: "benchmark", at: now) }

    /// Seals what changed, copies it out, and tidies the own files, as the service does.
    func publish(at now: Timestamp) throws {
        try sync.sealChanges(at: now)
        try sync.tidy(spool, at: now)
    }

    /// Merges all that the carrier has brought, and adds the longest single piece of work to `longest`, in seconds.
    @discardableResult
    func mergeArrived(at now: Timestamp, longest: inout Double) throws -> Int {
        var count = 0, hasMore = true
        let clock = ContinuousClock()
        while hasMore {
            let start = clock.now
            let changes = try sync.mergeArrived(&arrivals, from: spool, at: now) { count += $0.count }
            longest = max(longest, (clock.now - start) / .seconds(1))
            hasMore = changes.hasMore
        }
        return count
    }

    func carry(at now: Timestamp) throws {
        if let problem = carrier.round(at: now.milliseconds).problem { throw BenchmarkFailure.carrier(problem.detail) }
    }

    /// The sizes of the files that are put out, by name.
    func files() -> [String: Int] {
        let folder = spool.directory(of: keys.publicKeys.device, in: members.group)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Dictionary(
            names.map { name in
                let facts = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                return (name, facts?[.size] as? Int ?? 0)
            }
        ) { _, last in last }
    }
}
