// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// Real scripts: each stores a secret, and reads it twice, by secret-tool.
@Suite(
    "Scripts on the bus", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct ScriptsOnTheBusTests {
    private static let secret = "s3cr3t"

    private static func shell(_ service: String) -> String {
        """
        printf \(secret) | secret-tool store --label='Backup of ann' service \(service) user ann
        secret-tool lookup service \(service) user ann
        secret-tool lookup service \(service) user ann
        """
    }

    private static let python = """
        import subprocess
        attributes = ["service", "python", "user", "ann"]
        subprocess.run(["secret-tool", "store", "--label=Backup of ann"] + attributes, input=b"\(secret)")
        for _ in range(2):
            subprocess.run(["secret-tool", "lookup"] + attributes)
        """

    /// Without a shell's syntax: make starts the programs itself.
    private static let make = """
        .SILENT:
        all:
        \tsecret-tool store --label=Backup service make user ann
        \tsecret-tool lookup service make user ann
        \tsecret-tool lookup service make user ann
        """

    /// Runs a command to its end, while the user answers.
    private func run(
        _ stage: SecretStage, _ user: PromptedUser, _ command: [String], first: String = "yes", then second: String
    ) throws -> (output: String, questions: [String]) {
        var output = ""
        let asked = try user.answering(stage, { $0.contains("without asking again") ? second : first }) {
            output = try stage.run(command, input: Self.secret).output
        }
        return (output, asked.filter { !$0.contains("without asking again") })
    }

    @Test("A script asks once a run, and no more once that is remembered; a changed one asks again")
    func desktop() throws {
        let stage = try SecretStage(consent: nil)
        let user = try PromptedUser(stage)
        let both = Self.secret + Self.secret
        let folder = stage.directory.path
        try stage.directory.write("day.sh", "#!/bin/sh\n" + Self.shell("shell"))
        try stage.directory.write("day.py", Self.python)
        try stage.directory.write("Makefile", Self.make)
        for (command, name) in [
            (["sh", "\(folder)/day.sh"], "day.sh"), (["setsid", "sh", "\(folder)/day.sh"], "day.sh"),
            (["python3", "\(folder)/day.py"], "day.py"),
        ] {
            let once = try run(stage, user, command, then: "no")
            #expect(once.output == both && once.questions.count == 1, "\(once)\(stage.log)")
            #expect(once.questions.allSatisfy { $0.contains("\(name) wants to use “Backup of ann”, and what else") })
        }
        for (command, answer) in [(["sh", "\(folder)/day.sh"], "yes"), (["python3", "\(folder)/day.py"], "later")] {
            #expect(try run(stage, user, command, then: answer).questions.count == 1)
            for _ in 1...2 {
                let again = try run(stage, user, command, first: "no", then: "no")
                #expect(again.output == both && again.questions.isEmpty, "\(again)")
            }
        }
        let make = ["make", "-f", "\(folder)/Makefile"]
        let made = try run(stage, user, make, then: "yes")
        #expect(made.output == both && made.questions.count == 1, "\(made)")
        #expect(try run(stage, user, make, first: "no", then: "no").questions.isEmpty)
        let grants = try #require(
            try stage.user().call("admin.grant.list", ["proof": PromptedUser.proof]).result?["grants"]
                as? [[String: Any]]
        ).compactMap { $0["executable"] as? String }
        #expect(grants.count { $0.contains(" script:\(folder)/day.sh#") } == 1, "\(grants)")
        #expect(grants.count { $0.contains(" login:") && $0.contains(" script:\(folder)/day.py#") } == 1, "\(grants)")
        try stage.directory.write("day.sh", "#!/bin/sh\n# changed\n" + Self.shell("shell"))
        let changed = try run(stage, user, ["sh", "\(folder)/day.sh"], first: "no", then: "no")
        #expect(changed.questions.count == 1 && !changed.output.contains(Self.secret), "\(changed)")
    }

    @Test("Without a desktop or a terminal the refusal names the script; its command, as it is written, allows it")
    func noDesktop() throws {
        let stage = try SecretStage(consent: nil, hasDesktop: false)
        let path = stage.directory.path + "/a day.sh"
        try stage.directory.write("a day.sh", "#!/bin/sh\n" + Self.shell("cron"))
        let refused = try stage.run(["sh", path])
        let command = "autofillctl grant allow '\(path)'"
        #expect(!refused.output.contains(Self.secret))
        #expect(refused.output.contains("Let \(path) read all secrets that it has saved itself: \(command)"))
        let program = try DaemonProcess.program("autofillctl")
        let typed = "\(program)\(command.dropFirst("autofillctl".count)) --passphrase-fd 0"
        let allowed = try stage.run(["sh", "-c", typed], input: "correct horse")
        #expect(
            allowed.status == 0 && allowed.output.contains("as long as its content is unchanged"), "\(allowed.output)")
        #expect(try stage.run(["sh", path]).output == Self.secret + Self.secret)
        // By its name, in the directory where it is.
        try stage.directory.write("other.py", Self.python)
        let named = "cd \(stage.directory.path) && \(program) grant allow other.py --passphrase-fd 0"
        #expect(try stage.run(["sh", "-c", named], input: "correct horse").status == 0)
        #expect(
            try stage.run(["python3", stage.directory.path + "/other.py"]).output == Self.secret + Self.secret)
        try stage.directory.write("a day.sh", "#!/bin/sh\n# changed\n" + Self.shell("cron"))
        #expect(try !stage.run(["sh", path]).output.contains(Self.secret))
    }
}
