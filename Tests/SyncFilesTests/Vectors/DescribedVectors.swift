// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import SyncMerge
import VaultFormat

@testable import SyncFiles

/// What sync_reader.py prints of the vectors, as this program reads them.
enum DescribedVectors {
    /// JSON with sorted keys.
    indirect enum Value: Encodable {
        case text(String), number(UInt64), time(Int64), flag(Bool), list([Value]), object([String: Value])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .time(let time): try container.encode(time)
            case .flag(let flag): try container.encode(flag)
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }

        static func id(_ device: DeviceID) -> Value { .text(hex(device.rawValue.bytes)) }
    }

    static func describe(_ vectors: SyncVectors) throws -> String {
        let laptop = try required(
            KeyPairs(signing: secret(vectors.machine.signing), sealing: secret(vectors.machine.sealing)))
        let group = GroupID(rawValue: try number(vectors.files[0].directory.prefix(32)))
        let files = try vectors.files.map { file in
            let name = try required(SyncFileName(file.name))
            let device = DeviceID(rawValue: try number(file.directory.suffix(32)))
            return (name, try SyncFile(hex(file.bytes), name: name, group: group, device: device))
        }
        var members = try required(files[0].1.statements.lazy.compactMap { MemberRegister(founding: $0) }.first)
        _ = members.insert(files.flatMap(\.1.statements))
        let described = try files.map { name, file in
            let key = try required(members.epochKey(file.header.epoch, of: laptop))
            var content = try file.verified(by: members).content(with: key), operations: [Value] = []
            while let next = try content.next() { operations += next.map(describe) }
            let header = file.header
            let vector = content.summary.vector.sequences.filter { $0.key != header.device }
            return Value.object([
                "name": .text("\(name)"), "device": .id(header.device), "snapshot": .flag(header.isSnapshot),
                "first": .number(header.range.lowerBound), "last": .number(header.range.upperBound),
                "epoch": .text(hex(header.epoch.rawValue.bytes)), "deviceName": .text(content.deviceName),
                "vector": describe(vector), "operations": .list(operations),
            ])
        }
        let current = try required(members.epochKeys.current)
        let value = Value.object([
            "group": .text(hex(group.rawValue.bytes)), "founder": .id(members.founder),
            "members": .list(members.list.members.map { .id($0) }),
            "cuts": .object(
                Dictionary(
                    uniqueKeysWithValues: members.list.cuts.map { (hex($0.key.rawValue.bytes), .number($0.value)) })),
            "current": .text(hex(current.rawValue.bytes)), "files": .list(described),
            "invitation": try describe(vectors.invitation),
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func describe(_ vectors: SyncVectors.InvitationVectors) throws -> Value {
        let received = try ReceivedInvitation(hex(vectors.file), typed: SecretBytes(utf8: vectors.code))
        let (group, id) = try InvitationKeys.read(Invitation.magic, hex(vectors.file))
        let keys = InvitationKeys(try required(.init(typed: SecretBytes(utf8: vectors.code))), id: id, group: group)
        let answer = try InvitationAnswer.open(hex(vectors.answer), keys, with: secret(vectors.answerKey)).checked()
        return .object([
            "group": .text(hex(received.group.rawValue.bytes)), "deviceName": .text(received.deviceName),
            "vector": describe(received.vector.sequences),
            "answer": .list([.id(answer.publicKeys.device), .text(answer.deviceName)]),
        ])
    }

    private static func describe(_ vector: [DeviceID: UInt64]) -> Value {
        .list(vector.sorted { $0.key < $1.key }.map { .list([.id($0.key), .number($0.value)]) })
    }

    private static func describe(_ operation: SyncOperation) -> Value {
        let origin: [Value] = [.id(operation.origin.device), .number(operation.origin.sequence)]
        return switch operation {
        case .add(let id, let element):
            .list(
                [.text("add"), .text("\(id)"), .time(element.stamp.time.milliseconds)] + origin
                    + [.number(element.stamp.random), describe(element.value)])
        case .dead(let id, let mark, _): .list([.text("dead"), .text("\(id)"), .number(mark.rawValue)] + origin)
        case .gone(let id, let mark, _): .list([.text("gone"), .text("\(id)"), .number(mark.rawValue)] + origin)
        case .counter(let nonce, let value, _): .list([.text("counter"), .number(nonce), .number(value)] + origin)
        }
    }

    private static func describe(_ value: ElementValue) -> Value {
        switch value {
        case .password(let secret, let site, let user):
            .list([.text("password"), .text(hex(secret.bytes)), .text(site), .text(user)])
        case .code(let code?): .list([.text("code"), .text(hex(code.uri.bytes)), .number(code.nonce)])
        case .code(nil): .list([.text("no code")])
        case .site(let site): .list([.text("site"), .text(site)])
        case .user(let user): .list([.text("user"), .text(user)])
        case .field(let name, let value): .list([.text("field"), .text(name), .text(hex(value.bytes))])
        case .unknown(let kind, let content):
            .list([.text("unknown"), .number(UInt64(kind)), .text(hex(content.bytes))])
        }
    }

    private static func secret(_ digits: String) -> SecretBytes {
        hex(digits).withUnsafeBytes { SecretBytes(copying: $0) }
    }

    private static func number(_ digits: Substring) throws -> UInt128 { try required(UInt128(digits, radix: 16)) }
}
