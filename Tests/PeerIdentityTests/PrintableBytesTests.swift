// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Testing

@Suite struct PrintableBytesTests {
    @Test(
        "Text stays as it is, and what does not show on one line is written byte by byte",
        arguments: [
            ("/usr/bin/shop", "/usr/bin/shop"), ("/home/jürgen/買い物", "/home/jürgen/買い物"),
            ("a\nb", #"a\x0ab"#), ("a\\x0ab", #"a\x5cx0ab"#), ("\u{202E}gpj", #"\xe2\x80\xaegpj"#),
            ("\u{1B}[31m", #"\x1b[31m"#), ("\u{2028}", #"\xe2\x80\xa8"#), ("\u{85}", #"\xc2\x85"#),
        ])
    func text(input: String, printed: String) {
        #expect(PrintableBytes.text(Array(input.utf8)) == printed)
    }

    @Test("Bytes that are not UTF-8 are kept apart from those that are")
    func invalid() {
        #expect(PrintableBytes.text([0x61, 0xFF, 0xC3, 0x62, 0xE2, 0x82]) == #"a\xff\xc3b\xe2\x82"#)
        #expect(PrintableBytes.text([0xC3, 0xA4]) == "ä")
        #expect(PrintableBytes.text([]) == "")
    }
}
