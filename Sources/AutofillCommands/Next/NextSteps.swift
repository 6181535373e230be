// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Reasons

/// What to do next, by the state that the service is in.
struct NextSteps: Equatable {
    enum State: String, CaseIterable {
        case notRunning = "not-running"
        case noVault = "no-vault"
        /// It cannot be opened at all, whatever the passphrase.
        case unusableVault = "unusable-vault"
        case locked
        case noApp = "no-app"
        case well
    }

    struct Step: Equatable {
        /// To be typed as it stands, but for words in capitals.
        let command: String
        let purpose: String
    }

    let state: State
    /// The state, in a sentence.
    let sentence: String
    let steps: [Step]

    /// The service is not there.
    init(_ problem: CommandFailure.Problem) {
        state = .notRunning
        sentence = problem.message + "."
        let ways = [
            Step(command: "systemctl --user enable --now autofilld.socket", purpose: "start it, and at each login"),
            Step(command: "autofillctl demo", purpose: "see it at work; keeps nothing"),
        ]
        // What else keeps it away has a fix of its own.
        let isStartedBySocket = [AutofillUnavailable.notInstalled, .notRunning].contains { $0.rawValue == problem.code }
        steps = isStartedBySocket ? ways : [Step(command: problem.fix ?? "", purpose: "")]
    }

    init(_ status: Status.Answer) {
        let problems = status.problems.isEmpty ? "" : " " + status.problems.count.counted("problem") + ": see status."
        let wrong =
            status.problems.isEmpty
            ? [] : [Step(command: "autofillctl status", purpose: "see what is wrong")]
        switch status.vault {
        case "missing":
            state = .noVault
            sentence = "autofilld runs, and has no vault yet." + problems
            steps =
                [
                    Step(command: "autofillctl vault create", purpose: "make one, with a passphrase of yours"),
                    Step(command: "autofillctl demo", purpose: "see first what it does"),
                ] + wrong
        case "locked":
            state = .locked
            sentence = "autofilld runs, and its vault is locked." + problems
            steps = [Step(command: "autofillctl vault unlock", purpose: "give the passphrase, for all apps")] + wrong
        case "unlocked" where status.apps == 0:
            state = .noApp
            sentence = "The vault is open, and no app is registered." + problems
            steps =
                [
                    Step(command: "autofillctl app register FILE", purpose: "tell autofilld of an app"),
                    Step(command: "man autofilld-registration", purpose: "what such a file says"),
                    Step(command: "autofillctl generate SITE USER", purpose: "a strong password without an app"),
                ] + wrong
        case "unlocked":
            state = .well
            let saved = status.credentials.map { $0.counted("credential") + ", " } ?? ""
            sentence =
                (status.problems.isEmpty ? "All is well: the vault is open" : "The vault is open")
                + " (\(saved)\(status.apps.counted("app")))." + problems
            let offers = status.pendingOffers ?? 0
            let finish = Step(
                command: "autofillctl offers list",
                purpose: "finish " + (offers == 1 ? "a sign-up" : "\(offers) sign-ups") + " that wait")
            steps =
                wrong + [
                    Step(command: "autofillctl list", purpose: "what is saved"),
                    Step(command: "autofillctl get SITE --copy", purpose: "a password, in the clipboard"),
                    Step(command: "autofillctl generate SITE USER", purpose: "make a strong password, and save it"),
                ] + (offers > 0 ? [finish] : [])
                + [Step(command: "autofillctl explain APP --domain SITE", purpose: "why AutoFill does not work there")]
        case let code:
            state = .unusableVault
            let refusal = Refusal(Reason(rawValue: code) ?? .vaultUnreadable)
            sentence = refusal.reason.message + "."
            steps = [Step(command: refusal.fix, purpose: "")]
        }
    }

    /// At most ten lines of 80 columns, where no fix is longer.
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
