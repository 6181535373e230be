// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Prompting

@Suite("What a prompt shows of a name")
struct PromptTextTests {
    @Test(
        "What could forge a line, hide text or reverse it is shown escaped",
        arguments: [
            ("Bank\n\nIt is safe to allow", #"Bank\u{a}\u{a}It is safe to allow"#),
            ("Bank\r", #"Bank\u{d}"#), ("a\u{2028}b", #"a\u{2028}b"#), ("a\u{85}b", #"a\u{85}b"#),
            ("<b>Bank</b>", #"\u{3c}b\u{3e}Bank\u{3c}/b\u{3e}"#), ("a&lt;", #"a\u{26}lt;"#),
            ("\u{202E}knaB", #"\u{202e}knaB"#), ("a\u{2066}b\u{200B}c\u{FEFF}", #"a\u{2066}b\u{200b}c\u{feff}"#),
            ("a\u{1B}[2Jb", #"a\u{1b}[2Jb"#), (#"\u{a}"#, #"\u{5c}u{a}"#), ("a\u{A0}b", #"a\u{a0}b"#),
            ("a   b", #"a \u{20}\u{20}b"#), (" a", #"\u{20}a"#), ("a\u{115F}b", #"a\u{115f}b"#),
            ("\u{2800}\u{2800}", #"\u{2800}\u{2800}"#), ("\u{3164}", #"\u{3164}"#), ("\u{FFFC}", #"\u{fffc}"#),
            ("\u{1D159}", #"\u{1d159}"#), ("\u{13441}\u{13442}", #"\u{13441}\u{13442}"#),
            ("\u{16FE4}", #"\u{16fe4}"#), ("\u{301}\u{301}", #"\u{301}\u{301}"#), ("a \u{17D2}", #"a \u{17d2}"#),
        ])
    func forged(name: String, shown: String) {
        let text = PromptText.shown(name, limit: 64)
        #expect(text == shown)
        #expect(!text.contains("\n"))
    }

    @Test(
        "Ordinary names stay as they are",
        arguments: [
            "Example Shop", "Größenwahn & Söhne".filter { $0 != "&" }, "銀行", "Cafe\u{301}", "ร้าน", "दुकान",
            "Shop-2.0 (beta)",
        ])
    func ordinary(name: String) {
        let collapsed = name.split(separator: " ").joined(separator: " ")
        #expect(PromptText.shown(collapsed, limit: 64) == collapsed)
    }

    @Test("A long name keeps its beginning and its end, and a heap of accents is as long as it is high")
    func long() {
        let shown = PromptText.shown(String(repeating: "a", count: 500) + ".example", limit: 20)
        #expect(shown == "aaaaaaa…aa.example")
        #expect(shown.utf8.count == 20)
        let heap = "a" + String(repeating: "\u{301}", count: 500)
        #expect(PromptText.shown(heap, limit: 20).unicodeScalars.count <= 20)
    }

    /// attacks.md, a hostile program, 8
    @Test(
        "No text uses more of a line than it may",
        arguments: ["a", "%", "<", "é", "銀", "😀", "\u{1}", "\u{E0001}", "\u{10FFFF}"])
    func bytes(scalar: String) {
        for limit in [64, 100] {
            for count in [1, 9, 10, 33, 34, 64, 100, 101, 5000] {
                let shown = PromptText.shown(String(repeating: scalar, count: count), limit: limit)
                #expect(AssuanText.length(of: shown) <= limit)
                #expect(shown.contains("…") == (shown != PromptText.shown(scalar, limit: limit).repeated(count)))
            }
        }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
