// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import FoundationEssentials

/// autofillctl(1), generated from the commands, in the language of man(7).
struct ManualPage {
    /// An option of at least so many commands is described once, for all.
    private static let common = 5

    private let tool: CommandDescription
    private let commands: [CommandDescription]
    private let commonOptions: [CommandDescription.Argument]

    init(of command: any ParsableCommand.Type) throws {
        tool = try JSONDecoder().decode(CommandDescription.Tool.self, from: Data(command._dumpHelp().utf8)).command
        commands = tool.leaves
        let options = commands.flatMap(\.shownArguments).filter { $0.kind != "positional" }
        let uses = options.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var seen: Set<CommandDescription.Argument> = []
        commonOptions = options.filter { uses[$0, default: 0] >= Self.common && seen.insert($0).inserted }
    }

    var text: String {
        let abstract = tool.abstract ?? ""
        var lines = [
            #"'\" t"#, #".\" SPDX-License-Identifier: Apache-2.0"#,
            #".\" Written by autofillctl manual from its commands."#,
            #".TH AUTOFILLCTL 1 "" "autofilld \#(ProductVersion.text)" "User Commands""#,
            ".SH NAME",
            #"autofillctl \- \#(Roff.escaped(abstract.prefix(1).lowercased() + abstract.dropFirst().dropLast()))"#,
            ".SH SYNOPSIS", ".B autofillctl", ".I command", #".RI [ arguments ]"#,
            ".SH DESCRIPTION",
        ]
        // The table of exit statuses has a section of its own.
        let discussion = (tool.discussion ?? "").split(separator: "EXIT STATUS:", omittingEmptySubsequences: false)
        lines += Roff.paragraphs(String(discussion.first ?? ""))
        lines += ["Every command has", #".BR \-\-help ,"#, "with an example.", ".SH COMMANDS"]
        for command in commands { lines += section(command) }
        lines.append(".SH COMMON OPTIONS")
        for option in commonOptions { lines += described(option) }
        lines.append(".SH EXIT STATUS")
        for status in ExitStatus.allCases {
            lines += [
                ".TP", ".B \(status.rawValue)",
                Roff.escaped(status.meaning.prefix(1).uppercased() + status.meaning.dropFirst() + "."),
            ]
        }
        return (lines + EverydayTask.section + Self.ending).joined(separator: "\n") + "\n"
    }

    private func section(_ command: CommandDescription) -> [String] {
        let shown = command.shownArguments
        var lines = [".SS \(Roff.escaped(command.fullName))"]
        // Common options are summarised at the end.
        let own = shown.filter { !commonOptions.contains($0) }
        let elements = own.map(\.synopsis) + (own.count < shown.count ? [#"[\fIcommon options\fR]"#] : [])
        lines += [#"\fB\#(Roff.escaped(command.fullName))\fR \#(elements.joined(separator: " "))"#, ".PP"]
        lines.append(Roff.escaped(command.abstract ?? ""))
        lines +=
            Roff.paragraphs(command.discussion ?? "").isEmpty ? [] : [".PP"] + Roff.paragraphs(command.discussion ?? "")
        for argument in own { lines += described(argument) }
        return lines
    }

    private func described(_ argument: CommandDescription.Argument) -> [String] {
        var text = argument.abstract ?? ""
        if let value = argument.defaultValue { text += text.isEmpty ? "Default: \(value)." : " Default: \(value)." }
        return [".TP", argument.heading, Roff.escaped(text)]
    }

    private static let ending = [
        ".SH ENVIRONMENT",
        ".TP", ".B AUTOFILLD_SOCKET", #"The socket, instead of \fI$XDG_RUNTIME_DIR/autofilld/socket\fR."#,
        ".TP", ".B NO_COLOR", "With any value, no colours are used.",
        ".TP", ".BR WAYLAND_DISPLAY \", \" DISPLAY", "The display whose clipboard a password is copied to.",
        ".SH FILES",
        ".TP", #".I ~/.local/share/autofilld"#, "The vault, and the user's own registrations.",
        ".TP", #".I ~/.config/autofilld/settings.json"#, "The settings.",
        ".SH SEE ALSO",
        #".BR autofilld (8),"#, #".BR autofilld\-registration (5),"#, #".BR autofilld\-settings (5),"#,
        #".BR autofilld\-protocol (7)"#,
    ]
}

extension CommandDescription.Argument {
    private var value: String { #"\fI\#(Roff.escaped(valueName ?? "value"))\fR"# }

    private var options: [String] { (names ?? []).map { #"\fB\#(Roff.escaped($0.text))\fR"# } }

    /// In the synopsis of its command.
    fileprivate var synopsis: String {
        let text =
            switch kind {
            case "positional": value
            case "flag": options.first ?? ""
            default: "\(options.first ?? "") \(value)"
            }
        return (isOptional ? "[\(text)]" : text) + (isRepeating ? " ..." : "")
    }

    /// The heading of its description.
    fileprivate var heading: String {
        switch kind {
        case "positional": value
        case "flag": options.joined(separator: ", ")
        default: options.joined(separator: ", ") + " " + value
        }
    }
}
