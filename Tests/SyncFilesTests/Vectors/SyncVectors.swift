// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import SyncMerge
import TestGround
import VaultFormat

@testable import SyncFiles

/// The content of Fixtures/vectors.json. All of it follows from one seed, but for what is sealed to public keys, which is random.
struct SyncVectors: Codable, Equatable {
    struct Machine: Codable, Equatable { let signing, sealing: String }
    struct File: Codable, Equatable { let directory, name, bytes: String }
    struct InvitationVectors: Codable, Equatable { let code, file, answerKey, answer: String }

    let recovery: String
    let machine: Machine
    var files: [File]
    let invitation: InvitationVectors

    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/vectors.json").standardizedFileURL

    static func read() throws -> SyncVectors { try JSONDecoder().decode(Self.self, from: Data(contentsOf: path)) }

    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: Self.path)
    }

    /// Made from the seed; with the statements and the answer of earlier ones, as far as they are given.
    static func make(_ earlier: SyncVectors?) throws -> SyncVectors {
        var group = try TestGroup(seed: 77)
        let phone = try KeyPairs.random(using: &group.entropy)
        try group.admit(phone, by: group.laptop, sequence: 1)
        try group.drawKey(by: group.laptop, sequence: 2)
        try group.remove(phone, last: 2, by: .recoveryKey(group.recoveryKeys), sequence: 8)
        try group.drawKey(by: group.desktop, sequence: 4)
        if let snapshot = earlier?.files.first {
            let file = try SyncFile(hex(snapshot.bytes), name: nil, group: group.group, device: group.desktop.device)
            let founding = try required(group.members.statements.first)
            var members = try required(MemberRegister(founding: founding))
            members.insert(file.statements)
            group.members = members
        }
        let devices = [group.desktop.device, group.laptop.device, phone.device]
        let state = RandomState(seed: 5, devices: devices, records: 12).state
        var desktop = group.writer(group.desktop, name: "Büro")
        desktop.batchBytes = 3000
        let written = [
            try desktop.snapshot(
                99, state, vector: VersionVector([group.laptop.device: 3, phone.device: 2]),
                statements: group.members.statements, using: &group.entropy),
            try group.writer(group.laptop, name: "laptop").delta(
                4...5, group.save(FileOrigin(device: group.laptop.device, sequence: 5)),
                vector: VersionVector([group.desktop.device: 99]), statements: [], using: &group.entropy),
        ]
        let files = zip(written, [group.desktop, group.laptop]).map { file, machine in
            File(
                directory: "\(hex(group.group.rawValue.bytes))/\(hex(machine.device.rawValue.bytes))",
                name: "\(file.name)", bytes: hex(file.bytes))
        }
        let invitation = try Invitation(
            to: group.members, from: "Büro",
            vector: VersionVector([group.desktop.device: 99, group.laptop.device: 5]), now: 0, using: &group.entropy)
        let tablet = try KeyPairs.random(using: &group.entropy)
        let answer =
            try earlier?.invitation.answer
            ?? hex(
                ReceivedInvitation(invitation.file, typed: invitation.code.grouped).answer(by: tablet, named: "Tablet"))
        return SyncVectors(
            recovery: text(group.recovery.grouped),
            machine: Machine(signing: hex(group.laptop.signing), sealing: hex(group.laptop.sealing)), files: files,
            invitation: InvitationVectors(
                code: text(invitation.code.grouped), file: hex(invitation.file), answerKey: hex(invitation.answerKey),
                answer: answer))
    }

    private static func text(_ secret: SecretBytes) -> String {
        secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func hex(_ secret: SecretBytes) -> String { secret.withUnsafeBytes { hex($0) } }
