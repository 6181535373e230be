// SPDX-License-Identifier: Apache-2.0

/// The programs that may prompt the user: GnuPG's prompters, and those that the administrator names. No file of the
/// user's adds one: a root-owned program may still run the user's code, as an interpreter does.
package struct PrompterList: Hashable, Sendable {
    /// GnuPG's, where Debian has them.
    private static let pinentries = paths([
        "pinentry-gnome3", "pinentry-qt", "pinentry-qt4", "pinentry-qt5", "pinentry-gtk-2", "pinentry-fltk",
        "pinentry-efl", "pinentry-tqt", "pinentry-curses", "pinentry-tty",
    ])
    /// Links to one of these, by Debian's alternatives. A program at that path is not allowed: other systems have a
    /// script there, which reads the user's files.
    private static let links = paths(["pinentry", "pinentry-x11"])

    /// Where no program is set, the first of these that exists. The graphical ones fall back to a terminal
    /// themselves.
    static let usual = paths([
        "pinentry-gnome3", "pinentry-qt", "pinentry-gtk-2", "pinentry", "pinentry-curses", "pinentry-tty",
    ])
    /// The same on a terminal; the graphical ones would need a display.
    static let usualOnTerminals = paths(["pinentry-curses", "pinentry-tty", "pinentry"])

    private let programs: Set<String>

    /// - Parameter named: the absolute paths that the administrator names.
    package init(named: [String] = []) { programs = Set(Self.pinentries + named) }

    /// Whether the program at this path, which contains no link, may prompt the user.
    func has(_ program: String) -> Bool { programs.contains(program) }

    /// Whether this may be set: a program that may ask, or the name of a link to one.
    func admits(_ choice: String) -> Bool { has(choice) || Self.links.contains(choice) }

    /// Why this cannot be set, and the fix; nil where it can. The program is not named: the setting is shown with proof
    /// only.
    package func refusal(of choice: String) -> String? {
        if admits(choice) { return nil }
        return """
            The program is not an allowed prompter. Choose one of GnuPG's, such as \
            /usr/bin/pinentry-gnome3, or have the administrator name it in "prompters" in /etc/autofilld/settings.json.
            """
    }

    private static func paths(_ names: [String]) -> [String] { names.map { "/usr/bin/\($0)" } }
}
