// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SyncFiles
import SyncMerge
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// A vault whose disk is recorded from before sync is started, and its spool beside it.
final class RecordedSync {
    /// A password that was answered.
    struct Save: Hashable {
        let site: String
        let password: String
    }

    struct Step {
        let step: RecordedVault.Step
        /// What is answered, and whether sync is started, at its end.
        let saves: Set<Save>
        let isStarted: Bool
        /// Whether steps like it precede it.
        let isRepeated: Bool
        let clock: Int64
    }

    let group: SyncedGroup
    let home: TemporaryDirectory
    let start: SimulatedDisk
    private(set) var steps: [Step] = []
    /// All files that were put out, with what they cover and their bytes.
    private(set) var files: [SyncFileName: (file: OwnFiles.OwnFile, bytes: [UInt8])] = [:]
    /// The other machine's snapshot, which was received before.
    let received: (name: SyncFileName, bytes: [UInt8])
    static let ofOther = Save(site: "laptop.example", password: "of the laptop")

    private let recorder: DiskRecorder
    private let vault: Vault
    private var saves: Set<Save> = []
    private var isStarted = false
    private var clock: Int64 = 0

    static let day: Int64 = 86_400_000

    init(_ recorder: DiskRecorder) throws {
        self.recorder = recorder
        group = try SyncedGroup()
        home = try TemporaryDirectory()
        let folder = try TemporaryDirectory()
        let laptop = try SyncedVault(group.laptop, in: group, sharing: SyncSpool(at: folder.path), seed: 3)
        try laptop.vault.writers.credentials.save(Self.ofOther.site, "ann", Self.ofOther.password)
        try laptop.writeSnapshot(at: .at())
        let device = group.laptop.publicKeys.device
        let name = try #require(laptop.folder.names(of: device, in: group.id).first)
        received = (name, try #require(laptop.folder.read(name, of: device, in: group.id)))
        try Self.put([received.bytes], [received.name], of: device, in: group.id, at: home.path + "/spool/in")
        vault = try Vault.new(home.vault)
        // The snapshot is so large that changes are joined before there is another one.
        for number in 0..<60 {
            let long = String(repeating: "x", count: 400)
            try vault.writers.credentials.save("b\(number).example", "ann", "\(number) \(long)")
        }
        start = try SimulatedDisk(of: home.path)
        recorder.begin(in: home.path)
    }

    static func put(
        _ bytes: [[UInt8]], _ names: [SyncFileName], of device: DeviceID, in group: GroupID, at root: String
    ) throws {
        let folder = "\(root)/\(group.hexadecimal)/\(device.hexadecimal)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in zip(names, bytes) { try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)")) }
    }

    static func spool(in home: TemporaryDirectory) -> SyncSpool { SyncSpool(at: home.path + "/spool") }

    private var spool: SyncSpool { Self.spool(in: home) }

    // MARK: - Steps

    private func step(_ name: String, isRepeated: Bool = false, _ body: (Timestamp) throws -> Void) throws {
        clock += 1000
        let first = recorder.count
        recorder.resume()
        defer { recorder.pause() }
        try body(.at(clock))
        recorder.pause()
        let step = RecordedVault.Step(
            name: name, events: first..<recorder.count, before: ExpectedDisk(), after: ExpectedDisk(), isAtomic: true)
        steps.append(Step(step: step, saves: saves, isStarted: isStarted, isRepeated: isRepeated, clock: clock))
        try noteFiles()
    }

    private func noteFiles() throws {
        guard let sync = vault.store.sync else { return }
        for file in sync.progress.files where files[file.name] == nil {
            let bytes = spool.read(file.name, of: sync.device, in: group.id)
            // What is sealed and not copied out is noted when it is.
            if let bytes { files[file.name] = (file, bytes) }
        }
    }

    private func save(_ site: String, isRepeated: Bool = false) throws {
        let save = Save(site: site, password: "\(site) \(clock)")
        try step("save \(save.password)", isRepeated: isRepeated) { now in
            try vault.writers.credentials.save(site, "ann", save.password, at: now)
            saves.insert(save)
        }
    }

    private func tidy(_ name: String, _ expected: StoredSync.Tidied) throws {
        try step(name) { now in
            let done = try vault.writers.sync.tidy(spool, at: now)
            try #require(done == expected, "\(name)")
        }
    }

    func record() throws {
        try save("shop.example")
        try step("start") { now in
            try vault.writers.sync.start(group.desktop, group.members, deviceName: "desktop", at: now)
            isStarted = true
        }
        try tidy("first snapshot", .snapshot)
        try step("merge what was received") { now in
            var arrivals = SyncArrivals(), hasMore = true
            while hasMore { hasMore = try vault.writers.sync.mergeArrived(&arrivals, from: spool, at: now).hasMore }
            saves.insert(Self.ofOther)
        }
        try save("shop.example")
        try step("seal") { now in _ = try vault.writers.sync.sealChanges(at: now) }
        try save("other.example")
        try step("seal again") { now in _ = try vault.writers.sync.sealChanges(at: now) }
        try step("publish") { _ in try vault.writers.sync.publish(to: spool) }
        for number in 0..<14 {
            let isRepeated = number > 1
            try save(number.isMultiple(of: 2) ? "shop.example" : "n\(number).example", isRepeated: isRepeated)
            try step("seal and publish \(number)", isRepeated: isRepeated) { now in
                _ = try vault.writers.sync.sealChanges(at: now)
                try vault.writers.sync.publish(to: spool)
            }
        }
        try tidy("join", .joined)
        try save("shop.example")
        try step("lock and unlock") { now in
            vault.lock()
            try vault.unlock(.key(), at: now)
        }
        try step("seal after the unlock") { now in _ = try vault.writers.sync.sealChanges(at: now) }
        clock += 8 * Self.day
        try tidy("weekly snapshot", .snapshot)
        try tidy("nothing to do", .nothing)
    }
}
