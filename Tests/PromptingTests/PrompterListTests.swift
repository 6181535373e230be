// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Prompting

@Suite("Which programs may prompt the user")
struct PrompterListTests {
    @Test(
        "GnuPG's may, and Debian's names for links to them may be set",
        arguments: ["pinentry-gnome3", "pinentry-qt", "pinentry-gtk-2", "pinentry-tty", "pinentry", "pinentry-x11"])
    func pinentries(name: String) {
        #expect(PrompterList().refusal(of: "/usr/bin/\(name)") == nil)
    }

    /// attacks.md, a hostile program, 2
    @Test(
        "What is root's and runs the user's code may not, nor a pinentry at another path",
        arguments: ["/usr/bin/python3.11", "/bin/sh", "/usr/bin/env", "/usr/local/bin/pinentry-qt", "pinentry-tty", ""])
    func others(path: String) {
        let refusal = PrompterList(named: ["/opt/ask/prompter"]).refusal(of: path)
        #expect(refusal?.contains(#"have the administrator name it in "prompters""#) == true)
    }

    @Test("What the administrator names may")
    func named() {
        #expect(PrompterList(named: ["/opt/ask/prompter"]).refusal(of: "/opt/ask/prompter") == nil)
        #expect(PrompterList().refusal(of: "/opt/ask/prompter") != nil)
    }

    @Test("What is tried where none is set may be set, and a link's name is no program")
    func usual() {
        for path in PrompterList.usual + PrompterList.usualOnTerminals { #expect(PrompterList().admits(path)) }
        #expect(!PrompterList().has("/usr/bin/pinentry"))
    }
}
