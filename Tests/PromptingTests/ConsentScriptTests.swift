// SPDX-License-Identifier: Apache-2.0
import Prompting
import Testing

@Suite("Scripted consent")
struct ConsentScriptTests {
    @Test("Each line answers one question, the first that fits, and past the last the answer is no")
    func lines() throws {
        var script = try ConsentScript(
            """
            # a comment

            org.example.A shop.example once
            * shop.example allow
            """)
        #expect(script.answer(app: "org.example.B", service: "shop.example") == .allow)
        #expect(script.answer(app: "org.example.A", service: "shop.example") == .once)
        #expect(script.answer(app: "org.example.A", service: "shop.example") == .deny)
    }

    @Test("A line that cannot be read is named by its number")
    func mistake() {
        let mistake = #expect(throws: ConsentScript.Mistake.self) {
            try ConsentScript("* * once\norg.example.A yes")
        }
        #expect(mistake?.line == 2)
    }

    @Test("Where no prompt can be shown there is no answer")
    func absent() {
        var consent = Consent.absent
        #expect(consent.answer(app: "a.b", service: "c.d") == nil)
    }
}
