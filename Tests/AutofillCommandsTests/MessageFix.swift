// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a message instructs a user to do, literally. It recognises the forms of fixes, and no command.
struct MessageFix {
    /// The commands to paste.
    private(set) var commands: [String] = []
    /// The command that was probably meant.
    private(set) var meant: String?
    /// A word of the command, and the word that was meant.
    private var replacement: (wrong: String, right: String)?
    /// What is to be added at the end of the command, or before its first argument.
    private var addition: String?
    /// A name in a file, and the name that was meant.
    private var edit: (file: String, wrong: String, right: String)?

    var isEmpty: Bool { commands.isEmpty && replacement == nil && addition == nil && edit == nil }

    init(of message: String) {
        // On a terminal, a line is continued below it, indented. By scalars: CR LF is one character.
        let plain = String(String.UnicodeScalarView(message.unicodeScalars.filter { $0 != "\r" }))
        let fixes = plain.replacing(/\n {4,}(?=\S)/, with: " ").split(separator: "\n").map(String.init)
        for line in fixes {
            if let found = line.firstMatch(of: /Did you mean: (autofillctl .+)$/) {
                (meant, commands) = (String(found.1), [String(found.1)])
                return
            }
        }
        for line in fixes {
            if let found = line.firstMatch(of: /'(\S+)'\. Did you mean '(\S+)'\?/) {
                replacement = (String(found.1), String(found.2))
            } else if let found = line.firstMatch(of: /Did you mean "([^"]+)" instead of "([^"]+)"\?/) {
                replacement = (String(found.2), String(found.1))
            } else if edit?.right.isEmpty != false,
                let found = line.firstMatch(of: #/^autofillctl: (\S.+?\.json): (\w+): /#)
            {
                edit = (String(found.1), String(found.2), "")
            } else if edit?.right == "", let found = line.firstMatch(of: /Fix: Did you mean "([^"]+)"\?/) {
                edit?.right = String(found.1)
            } else if let found = line.firstMatch(of: /Fix: Add (--[a-z-]+)$/) {
                addition = String(found.1)
            } else if let found = line.firstMatch(of: /: (autofillctl run -- )COMMAND/) {
                replacement = ("autofillctl run ", String(found.1))
            } else if line.contains("Fix: ") {
                commands += line.matches(of: /(?:autofillctl|chmod|mv|systemctl) [^.;,]*(?:\.[^ .;,]+[^.;,]*)*/).map {
                    String($0.0)
                }
            }
        }
    }

    /// The command after the fix; files are edited.
    func correct(_ command: String, in folder: String) throws -> String {
        if let edit, !edit.right.isEmpty {
            let file = edit.file.hasPrefix("/") ? edit.file : folder + "/" + edit.file
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try text.replacing("\"\(edit.wrong)\"", with: "\"\(edit.right)\"")
                .write(toFile: file, atomically: false, encoding: .utf8)
        }
        if let addition { return command + " " + addition }
        guard let replacement else { return command }
        return command.replacing(replacement.wrong, with: replacement.right)
    }
}
