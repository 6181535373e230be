// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Reasons

/// The next steps in the service's current state.
struct NextSteps: Equatable {
    enum State: String, CaseIterable {
        case notRunning = "not-running"
        case noVault = "no-vault"
        /// It cannot be opened, whatever the passphrase.
        case unusableVault = "unusable-vault"
        case locked
        case noApp = "no-app"
        case well
    }

    struct Step: Equatable {
        /// To be typed literally, except placeholders in capitals.
        let command: String
        let purpose: String
    }

    let state: State
    /// The state, as a sentence.
    let sentence: String
    let steps: [Step]

    /// The service is not available.
    init(_ problem: CommandFailure.Problem) {
        state = .notRunning
        sentence = problem.message + "."
        let ways = [
            Step(command: "systemctl --user enable --now autofilld.socket", purpose: "start it now and at login"),
            Step(command: "autofillctl demo", purpose: "try it; nothing is stored"),
        ]
        // Other causes have their own fix.
        let isStartedBySocket = [AutofillUnavailable.notInstalled, .notRunning].contains { $0.rawValue == problem.code }
        steps = isStartedBySocket ? ways : [Step(command: problem.fix ?? "", purpose: "")]
    }

    init(_ status: Status.Answer) {
        let (daemon, apps) = (status.daemon, status.daemon?.apps ?? 0)
        let found = daemon?.problems ?? []
        let problems = found.isEmpty ? "" : " " + found.count.counted("problem") + ": see status."
        let wrong =
            found.isEmpty
            ? [] : [Step(command: "autofillctl status", purpose: "show the problems")]
        switch status.vault {
        case "missing":
            state = .noVault
            sentence = "autofilld runs, and has no vault yet." + problems
            steps =
                [
                    Step(command: "autofillctl vault create", purpose: "create it, with a passphrase that you choose"),
                    Step(command: "autofillctl demo", purpose: "see first how it works"),
                ] + wrong
        case "locked":
            state = .locked
            sentence = "autofilld runs, and its vault is locked." + problems
            steps = [Step(command: "autofillctl vault unlock", purpose: "unlock it for all apps")] + wrong
        case "unlocked" where apps == 0:
            state = .noApp
            sentence = "The vault is open, and no app is registered." + problems
            steps =
                [
                    Step(command: "autofillctl app register FILE", purpose: "register an app"),
                    Step(command: "man autofilld-registration", purpose: "read about the format of FILE"),
                    Step(
                        command: "autofillctl generate SITE USER", purpose: "generate a strong password without an app"),
                ] + wrong
        case "unlocked":
            state = .well
            let saved = daemon?.credentials.map { $0.counted("credential") + ", " } ?? ""
            sentence =
                (found.isEmpty ? "No problems: the vault is open" : "The vault is open")
                + " (\(saved)\(apps.counted("app")))." + problems
            let offers = daemon?.pendingOffers ?? 0
            let finish = Step(
                command: "autofillctl offers list",
                purpose: "finish " + (offers == 1 ? "a sign-up" : "\(offers) sign-ups") + " that are pending")
            steps =
                wrong + [
                    Step(command: "autofillctl list", purpose: "list the saved credentials"),
                    Step(command: "autofillctl get SITE --copy", purpose: "copy a password to the clipboard"),
                    Step(command: "autofillctl generate SITE USER", purpose: "generate and save a strong password"),
                ] + (offers > 0 ? [finish] : [])
                + [Step(command: "autofillctl explain APP --domain SITE", purpose: "find out why AutoFill fails")]
        case let code:
            state = .unusableVault
            let refusal = Refusal(Reason(rawValue: code) ?? .vaultUnreadable)
            sentence = refusal.reason.message + "."
            steps = [Step(command: refusal.fix, purpose: "")]
        }
    }

    /// At most ten lines of 80 columns, unless a fix is longer.
    func lines(_ console: Console) -> [String] {
        let width = steps.map(\.command.columns).max() ?? 0
        let next = steps.flatMap { step -> [String] in
            guard !step.purpose.isEmpty else {
                return step.command.wrapped(toColumns: max(20, (console.width ?? 80) - 2)).map { "  " + $0 }
            }
            let gap = String(repeating: " ", count: width - step.command.columns)
            return ["  " + console.styled(step.command, .bold) + gap + "  " + step.purpose]
        }
        return [sentence, ""] + next + ["", "All commands: autofillctl --help"]
    }

    func write(to writer: inout JSONWriter) {
        writer.member("state", state.rawValue)
        writer.member("message", sentence)
        writer.member(
            "next",
            array: { writer in
                for step in steps {
                    writer.object { writer in
                        writer.member("command", step.command)
                        writer.member("purpose", step.purpose)
                    }
                }
            })
    }
}
