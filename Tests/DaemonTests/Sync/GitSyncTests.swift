// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestGround
import Testing

/// Two machines over a bare repository; with AUTOFILL_FULL=1 four, with more rounds, and two over ssh.
@Suite(
    "Sync over git", .serialized, .blocking, .enabled(if: BareRepository.isInstalled, "needs the Debian package git"))
struct GitSyncTests {
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
    private static let rounds = isFull ? 12 : 3

    @Test(
        "Machines over a bare repository by path that loses branches, with carriers and daemons killed, have the same, and nothing is lost"
    )
    func bareRepository() throws {
        let repository = try BareRepository()
        var group = try SyncGroup(Self.isFull ? 4 : 2, git: repository.path, seed: 35)
        try exchange(&group) { machine in
            let device = try machine.device
            machine.killCarrier()
            try repository.removeBranch(of: device)
        }
    }

    @Test(
        "Two machines over git by ssh, with carriers and the server killed, have the same, and nothing is lost",
        .enabled(
            if: Self.isFull && SSHServer.isInstalled,
            "runs with AUTOFILL_FULL=1; needs the Debian packages openssh-server, openssh-client and git"))
    func ssh() throws {
        let server = try SSHServer()
        var group = try SyncGroup(2, git: server.url, programs: server.programs, seed: 33)
        try exchange(&group) { _ in
            server.stop()
            try server.start()
        }
    }

    /// All save, while carriers and daemons are killed, and what carries for them fails.
    private func exchange(_ group: inout SyncGroup, _ fail: (SyncMachine) throws -> Void) throws {
        try group.found(saving: 20)
        for number in 1...Self.rounds {
            for _ in 0..<group.random(1...6) { try group.save() }
            let machine = group.randomMachine()
            // Any moment of a round, which begins at once where a carrier starts.
            machine.killCarrier()
            try machine.start()
            usleep(UInt32(group.random(0...1_500_000)))
            switch group.random(0...2) {
            case 0: machine.killCarrier()
            case 1: machine.killDaemon()
            default: try fail(machine)
            }
            group.note()
            try group.start()
            if number.isMultiple(of: 4) { try group.judge() }
        }
        try group.judge()
        print("git: \(group.ledger.answered) saves answered, \(group.published.count) files")
    }
}
