// SPDX-License-Identifier: Apache-2.0

/// The programs that may ask the person: GnuPG's prompters, and what the administrator names besides. No file of the user's
/// adds one: that a program is root's does not keep it from running the user's code, as an interpreter does.
package struct PrompterList: Hashable, Sendable {
    /// GnuPG's, where Debian has them.
    private static let pinentries = paths([
        "pinentry-gnome3", "pinentry-qt", "pinentry-qt4", "pinentry-qt5", "pinentry-gtk-2", "pinentry-fltk",
        "pinentry-efl", "pinentry-tqt", "pinentry-curses", "pinentry-tty",
    ])
    /// Links to one of these, by Debian's alternatives. A program that lies there itself is none: other systems have a script
    /// there, which reads the user's files.
    private static let links = paths(["pinentry", "pinentry-x11"])

    /// Where no program is set, the first of these that is there. The graphical ones fall back to a terminal themselves.
    static let usual = paths([
        "pinentry-gnome3", "pinentry-qt", "pinentry-gtk-2", "pinentry", "pinentry-curses", "pinentry-tty",
    ])
    /// The same on a terminal; the graphical ones would look for a display.
    static let usualOnTerminals = paths(["pinentry-curses", "pinentry-tty", "pinentry"])

    private let programs: Set<String>

    /// - Parameter named: the absolute paths that the administrator names.
    package init(named: [String] = []) { programs = Set(Self.pinentries + named) }

    /// Whether a program that lies at this path, which no link is part of, may ask.
    func has(_ program: String) -> Bool { programs.contains(program) }

    /// Whether this may be set: a program that may ask, or the name of a link to one.
    func admits(_ choice: String) -> Bool { has(choice) || Self.links.contains(choice) }

    /// Why this cannot be set, and what mends that; nil where it can. It is not named: what is set is shown with proof only.
    package func refusal(of choice: String) -> String? {
        if admits(choice) { return nil }
        return """
            The program is none of those that may ask the person. Choose one of GnuPG's, such as \
            /usr/bin/pinentry-gnome3, or have the administrator name it in "prompters" in /etc/autofilld/settings.json.
            """
    }

    private static func paths(_ names: [String]) -> [String] { names.map { "/usr/bin/\($0)" } }
}
