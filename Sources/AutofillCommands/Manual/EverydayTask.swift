// SPDX-License-Identifier: Apache-2.0

/// A task of every day, as users of other password managers type it, and as it is typed here.
struct EverydayTask {
    let name: String
    let own: String
    /// The commands of rbw, pass and op; empty if there is none.
    let rbw, pass, op: String

    /// The keys to press, the Enter key included.
    static func keystrokes(_ command: String) -> Int { command.count + 1 }

    private static let site = "shop.example.com"

    /// `a` is the alias of autofillctl that the table is for.
    static let all = [
        EverydayTask(
            name: "Print a password", own: "a \(site) -r", rbw: "rbw get \(site)", pass: "pass \(site)",
            op: "op read op://Personal/\(site)/password"),
        EverydayTask(
            name: "Copy a password", own: "a \(site) -c", rbw: "rbw get -c \(site)", pass: "pass -c \(site)",
            op: "op read op://Personal/\(site)/password | wl-copy -n"),
        EverydayTask(
            name: "Print a one-time code", own: "a code \(site)", rbw: "rbw code \(site)", pass: "pass otp \(site)",
            op: "op item get \(site) --otp"),
        EverydayTask(name: "List all", own: "a ls", rbw: "rbw ls", pass: "pass ls", op: "op item ls"),
        EverydayTask(
            name: "Search", own: "a search shop", rbw: "rbw search shop", pass: "pass find shop",
            op: "op item ls | grep shop"),
        EverydayTask(
            name: "Generate and save", own: "a generate \(site) jo", rbw: "rbw generate 20 \(site) jo",
            pass: "pass generate \(site)/jo",
            op: "op item create --category=login --title=\(site) --generate-password username=jo"),
        EverydayTask(
            name: "Save a typed password", own: "a save \(site) jo", rbw: "rbw add \(site) jo",
            pass: "pass insert \(site)/jo", op: ""),
        EverydayTask(
            name: "Change a password", own: "a save \(site)", rbw: "rbw edit \(site)", pass: "pass edit \(site)",
            op: "op item edit \(site) --generate-password"),
        EverydayTask(
            name: "Delete", own: "a rm \(site)", rbw: "rbw rm \(site)", pass: "pass rm \(site)",
            op: "op item rm \(site)"),
        EverydayTask(name: "Lock", own: "a lock", rbw: "rbw lock", pass: "gpgconf -K gpg-agent", op: "op signout"),
        EverydayTask(name: "Secrets for a command", own: "a run -- ./x", rbw: "", pass: "", op: "op run -- ./x"),
        EverydayTask(name: "Fill a template", own: "a inject <x", rbw: "", pass: "", op: "op inject -i x"),
    ]

    /// The section of the manual page, in the language of man(7).
    static var section: [String] {
        var lines = [
            ".SH KEYSTROKES",
            "The keys that users of rbw, pass and op press for the tasks of every day, the Enter key included, and those",
            "here with the line",
            #".B alias a=autofillctl"#,
            "in the shell's configuration; without it there are 10 more. A dash: there is no command for it.",
            "The passphrase, and the confirmation of a deletion, are not counted.",
            ".PP", ".TS", "nokeep;", "l r r r r l.", "task\there\trbw\tpass\top\tcommand",
        ]
        for task in all {
            let others = [task.rbw, task.pass, task.op].map { $0.isEmpty ? "\\-" : "\(keystrokes($0))" }
            lines.append(
                ([task.name, "\(keystrokes(task.own))"] + others + [Roff.escaped(task.own)]).joined(separator: "\t"))
        }
        return lines + [".TE"]
    }
}
