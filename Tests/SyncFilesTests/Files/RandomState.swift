// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncMerge
import TestGround

/// A state with all kinds of elements and marks, larger than one batch.
struct RandomState {
    private(set) var state = SyncState()

    init(seed: UInt64, devices: [DeviceID], records: UInt64 = 150) {
        var random: any RandomNumberGenerator = SeededGenerator(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }
        for number in 0..<records {
            let id = ObjectID(kind: .credential, high: random.next(), low: number)
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let origin = Self.origin(devices, &random)
                let time = Timestamp(milliseconds: Int64.random(in: 0...9, using: &random))
                let stamp = Stamp(time: time, origin: origin, random: UInt64.random(in: 0...3, using: &random))
                state.merge([.add(id, Element(stamp: stamp, value: Self.value(&random)))])
            }
            let marks = (state.records[id]?.elements ?? []).map(\.mark) + [Mark(rawValue: random.next())]
            for mark in marks where Bool.random(using: &random) {
                let origin = FileOrigin(
                    device: pick(devices) ?? devices[0], sequence: .random(in: 1...99, using: &random))
                state.merge([Bool.random(using: &random) ? .dead(id, mark, by: origin) : .gone(id, mark, by: origin)])
            }
            if let device = pick(devices), number % 7 == 0 {
                let origin = FileOrigin(device: device, sequence: .random(in: 1...99, using: &random))
                state.merge([.counter(random.next(), .random(in: 0...(.max), using: &random), by: origin)])
            }
        }
    }

    private static func origin(_ devices: [DeviceID], _ random: inout any RandomNumberGenerator) -> FileOrigin {
        guard let device = devices.randomElement(using: &random), Int.random(in: 0..<5, using: &random) > 0 else {
            return .beforeSync
        }
        return FileOrigin(device: device, sequence: .random(in: 1...99, using: &random))
    }

    private static func value(_ random: inout any RandomNumberGenerator) -> ElementValue {
        let text = String(
            (0..<Int.random(in: 0...200, using: &random)).compactMap { _ in "aé€😀".randomElement(using: &random) })
        let secret = SyncSecret(SecretBytes(random: .random(in: 0...200, using: &random), using: &random))
        return switch Int.random(in: 0..<7, using: &random) {
        case 0: .password(secret, site: text, user: "ann")
        case 1: .code(OneTimeCode(uri: secret, nonce: random.next()))
        case 2: .code(nil)
        case 3: .site(text)
        case 4: .user(text)
        case 5: .field(["label", "notes", "tag/a"].randomElement(using: &random) ?? "", secret)
        default: .unknown(.random(in: 7...255, using: &random), secret)
        }
    }
}
