// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

/// With real daemons and real carriers.
@Suite(
    "autofillctl sync", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestService.isThere, TestService.absence),
    .enabled(if: SyncCarrierProgram.executable != nil, "autofill-sync was not built beside the tests"))
struct SyncCommandTests {
    /// Two machines of which one has let the other in, and their carriers.
    private func joined() async throws -> (stage: SyncStage, carriers: [SyncCarrierProgram], started: String) {
        let stage = try await SyncStage()
        try await SyncStage.save("shop.example.com", "ann", "one", on: stage.desktop)
        try await SyncStage.save("bank.example", "bob", "two", on: stage.laptop)
        let (started, carrier) = try await stage.start()
        let admitted = try await stage.admit()
        #expect(admitted.invited.status == 0, "\(admitted.invited.errors)")
        #expect(admitted.invited.output.contains("“laptop” is let in"), "\(admitted.invited.output)")
        #expect(admitted.joined.status == 0 && admitted.joined.output.contains("“laptop”, is let in"))
        #expect(admitted.joined.errors.contains("let in by desktop"), "\(admitted.joined)")
        try await haveEqual(stage, 2)
        return (stage, [carrier, admitted.carrier], started)
    }

    private func haveEqual(_ stage: SyncStage, _ count: Int) async throws {
        try await SyncStage.eventually("both machines have the same \(count) credentials") {
            let saved = try await SyncStage.saved(stage.desktop)
            guard saved.count == count else { return false }
            return try await saved == SyncStage.saved(stage.laptop)
        }
    }

    @Test(
        "A machine that was let in has what the other has, each save on one arrives on the other, and a conflict is named"
    )
    func twoMachines() async throws {
        let stage: SyncStage, started: String
        // Nothing else may hold the carriers, which end when they are released.
        var carriers: [SyncCarrierProgram]
        (stage, carriers, started) = try await joined()
        #expect(started.contains("Sync has started on this machine, “desktop”") && started.contains("sync invite"))
        #expect(started.code != nil && started.contains("shown only once") && started.contains("It opens no vault"))
        try await SyncStage.save("mail.example", "cleo", "three", on: stage.laptop)
        try await haveEqual(stage, 3)
        let read = try await stage.desktop.proven("get", "mail.example", "cleo", "--reveal")
        #expect(read.output.hasPrefix("three"), "\(read.errors)")
        for service in [stage.desktop, stage.laptop] {
            let devices = try await service.proven("sync", "devices").output
            #expect(devices.contains("desktop") && devices.contains("laptop") && devices.contains("this machine"))
            #expect(devices.contains("member") && !devices.contains("removed"), "\(devices)")
        }
        let again = try await stage.desktop.proven("sync", "start", stage.folder.path)
        #expect(again.status == 1 && again.errors.contains("(sync-on)") && again.errors.contains("sync stop"))
        for file in try stage.files("") {
            guard let bytes = FileManager.default.contents(atPath: stage.folder.path + "/" + file) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            for secret in ["shop.example", "three", "laptop"] { #expect(!text.contains(secret), "\(file)") }
        }

        let none = try await stage.desktop.proven("sync", "conflicts")
        #expect(none.output == "No password was changed on two machines at once.\n", "\(none.errors)")
        carriers = []
        try await SyncStage.save("shop.example.com", "ann", "of the laptop", on: stage.laptop)
        try await SyncStage.save("shop.example.com", "ann", "of the desktop", on: stage.desktop)
        carriers = [try SyncCarrierProgram(for: stage.desktop), try SyncCarrierProgram(for: stage.laptop)]
        for service in [stage.desktop, stage.laptop] {
            try await SyncStage.eventually("the conflict is listed") {
                try await service.proven("sync", "conflicts").output.contains(
                    "desktop and laptop both changed shop.example.com (ann): desktop's of ")
            }
            let read = try await service.proven("get", "shop.example.com", "ann", "--reveal", "--json")
            #expect(read.output.contains(#""password":"of the desktop""#) && read.output.contains("of the laptop"))
        }
        let status = try await stage.desktop.proven("sync", "status")
        #expect(status.output.contains("active") && status.output.contains(stage.folder.path), "\(status.output)")
        #expect(status.output.contains("1; to list them: autofillctl sync conflicts"))

        let renamed = try await stage.desktop.proven("sync", "rename", "office")
        #expect(renamed.output == "This machine is called “office” now.\n", "\(renamed.errors)")
        try await SyncStage.eventually("the laptop shows the new name") {
            try await stage.laptop.proven("sync", "devices").output.contains("office")
        }
        let long = try await stage.desktop.proven("sync", "rename", String(repeating: "x", count: 256))
        #expect(long.status == 64 && long.errors.contains("1 to 255 bytes"))
        withExtendedLifetime(carriers) {}
    }

    @Test("While the folder is missing saves succeed, status names it, and all is exchanged when it is there again")
    func missingFolder() async throws {
        let (stage, carriers, _) = try await joined()
        let machines = [stage.desktop, stage.laptop]
        let away = stage.folder.path + ".away"
        try #require(rename(stage.folder.path, away) == 0)
        for (machine, site) in zip(machines, ["mail.example", "news.example"]) {
            try await SyncStage.save(site, "cleo", "three", on: machine)
            try await SyncStage.eventually("the missing folder is reported") {
                try await machine.proven("sync", "status").output.contains("The folder is not there")
            }
        }
        try #require(rename(away, stage.folder.path) == 0)
        // A change is what the carriers notice at once.
        for (machine, site) in zip(machines, ["bike.example", "boat.example"]) {
            try await SyncStage.save(site, "dora", "four", on: machine)
        }
        // As systemd does.
        var again: [SyncCarrierProgram] = []
        for (carrier, machine) in zip(carriers, machines) {
            try await SyncStage.eventually("the carrier ends, to be permitted the folder again") { carrier.hasEnded }
            again.append(try SyncCarrierProgram(for: machine))
        }
        try await haveEqual(stage, 6)
        withExtendedLifetime((carriers, again)) {}
    }

    @Test("A removed machine is listed as such, with the passwords that it may know, the oldest first, and their pages")
    func remove() async throws {
        let (stage, carriers, _) = try await joined()
        let unnamed = try await stage.desktop.proven("sync", "remove", "phone", "--yes")
        #expect(unnamed.status == 2 && unnamed.errors.contains("called “phone”"))
        #expect(unnamed.errors.contains("desktop (") && unnamed.errors.contains("laptop ("), "\(unnamed.errors)")
        let own = try await stage.desktop.proven("sync", "remove", "desktop", "--yes")
        #expect(own.status == 1 && own.errors.contains("is this machine") && own.errors.contains("sync stop"))
        let unconfirmed = try await stage.desktop.proven("sync", "remove", "laptop")
        #expect(unconfirmed.status == 66 && unconfirmed.errors.contains("--yes"))

        let removed = try await stage.desktop.proven("sync", "remove", "laptop", "--yes")
        #expect(removed.status == 0 && removed.output.hasPrefix("“laptop” was removed."), "\(removed.errors)")
        let lines = removed.output.split(separator: "\n").map(String.init)
        let sites = lines.filter { $0.contains(" (ann)") || $0.contains(" (bob)") }
        #expect(sites.count == 2 && lines.contains("  Change it: https://bank.example/.well-known/change-password"))
        let times = sites.compactMap { $0.components(separatedBy: ", ").last }
        #expect(times == times.sorted(), "\(removed.output)")
        #expect(try await stage.desktop.proven("sync", "devices").output.contains("removed"))
        let again = try await stage.desktop.proven("sync", "remove", "laptop", "--yes")
        #expect(again.status == 1 && again.errors.contains("was removed before"))
        // The removed machine keeps what it has, and is notified.
        try await SyncStage.eventually("the laptop reports that it was removed") {
            try await stage.laptop.proven("sync", "status").output.contains("was removed")
        }

        #expect(try await stage.laptop.proven("sync", "stop").status == 66)
        let stopped = try await stage.laptop.proven("sync", "stop", "--yes")
        #expect(stopped.status == 0 && stopped.output.contains("Sync has stopped"), "\(stopped.errors)")
        #expect(try await SyncStage.saved(stage.laptop).count == 2)
        #expect(try await stage.laptop.proven("sync", "stop", "--yes", "--json").output == "{\"changed\":false}\n")
        let status = try await stage.laptop.proven("sync", "status", "--json")
        #expect(status.output.contains(#""state":"off""#) && !status.output.contains("location"), "\(status)")
        #expect(access(stage.laptop.directory.path + "/data/sync/carrier.json", F_OK) != 0)
        withExtendedLifetime(carriers) {}
    }

    @Test("A machine removes the one that let it in with the recovery key of sync alone")
    func recoveryKey() async throws {
        let (stage, carriers, started) = try await joined()
        let senior = try await stage.laptop.proven("sync", "remove", "desktop", "--yes")
        #expect(senior.status == 1 && senior.errors.contains("(device-not-removable)"), "\(senior.errors)")
        #expect(senior.errors.contains("autofillctl sync recovery desktop"))
        func remove(with key: String) async throws -> CommandRun {
            try await stage.laptop.proven(
                "sync", "recovery", "desktop", "--yes", "--json", "--sync-recovery-key-fd", "3", inputs: [3: key])
        }
        let other = try await stage.laptop.proven("vault", "slot", "add", "--new-recovery-key")
        let wrong = try await remove(with: try #require(other.output.code))
        #expect(wrong.status == 1 && wrong.errors.contains("device-not-removable"), "\(wrong)")
        #expect(wrong.errors.contains("Check the recovery key: it is not that of this group"), "\(wrong)")
        let mistyped = try await remove(with: "qqqq-qqqq")
        #expect(mistyped.status == 1 && mistyped.errors.contains("recovery-key-mistyped"), "\(mistyped)")
        let removed = try await remove(with: try #require(started.code).lowercased())
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(removed.output.contains(#""changed":true,"passwords":[{"credential":"crd_"#), "\(removed.output)")
        #expect(removed.output.contains(#""changePassword":"https://"#))
        withExtendedLifetime(carriers) {}
    }

    @Test("Before sync was started each command names the one that starts it")
    func notStarted() async throws {
        let service = try await TestService.withVault()
        for arguments in [
            ["invite", "--yes"], ["remove", "laptop", "--yes"], ["recovery", "laptop", "--yes"], ["resume", "others"],
            ["rename", "office"],
        ] {
            let run = try await CommandRun.of(
                ["sync"] + arguments + ["--socket", service.socket, "--key-file", service.key])
            #expect(run.status == 1 && run.errors.contains("(sync-off)"), "\(arguments): \(run)")
            #expect(run.errors.contains("autofillctl sync start FOLDER"))
        }
        #expect(try await service.proven("sync", "status").output.contains("sync start FOLDER"))
        #expect(try await service.proven("sync", "devices").output.hasPrefix("There is no machine"))
        let missing = service.directory.path + "/missing"
        for command in ["start", "join"] {
            let run = try await service.proven("sync", command, missing)
            #expect(run.status == 66 && run.errors.contains("mkdir -p \(missing)"), "\(run)")
        }
        let password = try await service.proven("sync", "start", "--git", "https://ann:secret@server.example/p.git")
        #expect(password.status == 64 && password.errors.contains("ssh://") && !password.errors.contains("secret"))
        let both = try await service.proven("sync", "start", service.directory.path, "--git", "ssh://s/p.git")
        #expect(both.status == 64)
        // No question can be asked without a terminal, and no code is drawn.
        let unasked = try await service.proven("sync", "invite")
        #expect(unasked.status == 66 && unasked.errors.contains("--yes") && unasked.output.isEmpty)
    }

    @Test(
        "A machine with another code waits, a mistyped code is refused, and so is a machine to which the user says no")
    func refusals() async throws {
        let stage = try await SyncStage()
        let (_, carrier) = try await stage.start()
        let output = stage.desktop.directory.path + "/invitation"
        async let invited = CommandRun.atTerminal(
            ["sync", "invite", "--socket", stage.desktop.socket, "--key-file", stage.desktop.key],
            dialogue: [("saved in this vault. [y/N] ", "n\n")], shell: "\"$@\" >'\(output)'")
        try await SyncStage.eventually("a code is printed") {
            (try? String(contentsOfFile: output, encoding: .utf8))?.code != nil
        }
        let code = try #require(try String(contentsOfFile: output, encoding: .utf8).code)
        let mistyped = try await stage.join(stage.laptop, with: String(code.reversed()))
        #expect(mistyped.status == 1 && mistyped.errors.contains("(invitation-not-valid)"), "\(mistyped.errors)")
        // A key of the right form, which opens no invitation.
        let other = try await stage.laptop.proven("vault", "slot", "add", "--new-recovery-key")
        #expect(try await stage.join(stage.laptop, with: try #require(other.output.code)).status == 0)
        let waiting = try await stage.laptop.proven("sync", "status")
        #expect(waiting.output.contains("joining") && waiting.output.contains("code"), "\(waiting.output)")
        #expect(try await stage.laptop.proven("sync", "stop", "--yes").status == 0)

        #expect(try await stage.join(stage.laptop, with: code).status == 0)
        let carriers = [carrier, try SyncCarrierProgram(for: stage.laptop)]
        let run = try await invited
        #expect(run.screen.contains("Let in “laptop”? It gets everything"), "\(run)")
        #expect(run.status == 1 && run.errors.contains("“laptop” was not let in"), "\(run)")
        #expect(!run.screen.contains(code) && !run.errors.contains(code))
        let devices = try await stage.desktop.proven("sync", "devices").output
        #expect(devices.contains("desktop") && !devices.contains("laptop"), "\(devices)")
        withExtendedLifetime(carriers) {}
    }

    @Test("Where two machines answer one code, neither is let in")
    func twoAnswers() async throws {
        let stage = try await SyncStage()
        let phone = try await TestService.withVault()
        var (_, carrier): (String, SyncCarrierProgram?) = try await stage.start()
        let invite = try RunningCommand(["sync", "invite", "--yes", "--json"], of: stage.desktop)
        let code = try await invite.code()
        try await SyncStage.eventually("the invitation is in the folder") { try !stage.files(".invitation").isEmpty }
        // It learns of both answers at once.
        carrier = nil
        #expect(carrier == nil)
        for (service, name) in [(stage.laptop, "laptop"), (phone, "phone")] {
            #expect(try await stage.join(service, with: code, named: name).status == 0)
        }
        let carriers = [try SyncCarrierProgram(for: stage.laptop), try SyncCarrierProgram(for: phone)]
        try await SyncStage.eventually("both answers are in the folder") { try stage.files(".answer").count == 2 }
        carrier = try SyncCarrierProgram(for: stage.desktop)
        let run = invite.end()
        #expect(run.status == 1 && run.errors.contains("invitation-not-valid"), "\(run)")
        #expect(run.errors.contains("two machines answered"), "\(run.errors)")
        withExtendedLifetime((carriers, carrier)) {}
    }
}
