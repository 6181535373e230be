// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FuzzTargets

/// The fuzzers' invariants over a fixed set of mutations: what `Tests/fuzz` does for hours, in seconds.
@Suite("Hostile input, the same in every run", .serialized)
struct SeededTests {
    @Test(
        "Mutations of good input break no invariant",
        arguments: [
            (FuzzTarget.framing, 2000), (.request, 150), (.registration, 1000), (.settings, 1000), (.sandbox, 2000),
            (.association, 1000), (.handover, 1000), (.code, 2000), (.form, 1000), (.vault, 60), (.service, 150),
            (.table, 1000), (.document, 1000), (.snapshot, 300), (.delta, 300), (.statement, 500), (.invitation, 300),
            (.keepass, 300), (.archive, 150),
        ])
    func mutations(_ target: FuzzTarget, _ count: Int) throws {
        var generator = SplitMix(state: 7)
        let seeds = try target.seeds
        for seed in seeds { try target.run(seed) }
        for _ in 0..<count {
            let input = mutated(seeds.randomElement(using: &generator) ?? [], of: seeds, &generator)
            do { try target.run(input) } catch { Issue.record("\(target): \(error), with \(input)") }
        }
    }

    @Test(
        "What is behind the hashes of a KDBX file and in an archive is read",
        .enabled(if: ForeignTarget.readsContainers, "built without the trait ForeignLibraries"))
    func containers() throws {
        #expect(try KeePassTarget.seeds.map { try KeePassTarget.run($0) } == [0, 0, 1, 1, 1])
        #expect(try ArchiveTarget.seeds.map { try ArchiveTarget.run($0) } == [2, 2, 2])
    }

    private func mutated(_ seed: [UInt8], of seeds: [[UInt8]], _ generator: inout SplitMix) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.insert(.random(in: 0...255, using: &generator), at: place)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + .random(in: 0...4, using: &generator)))
            case 2 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 3: bytes.insert(contentsOf: bytes.prefix(place).suffix(16), at: place)
            default:
                let other = seeds.randomElement(using: &generator) ?? []
                let start = Int.random(in: 0...other.count, using: &generator)
                bytes.insert(contentsOf: other[start...].prefix(.random(in: 0...32, using: &generator)), at: place)
            }
        }
        return bytes
    }
}

/// Sebastiano Vigna's SplitMix64: the same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
