// SPDX-License-Identifier: Apache-2.0
import Forms
import Testing

@Suite("Forms as sites and apps write them")
struct WrittenFormTests {
    @Test(
        "The form is recognised as a user would, each field in its role, and the ground is reported",
        arguments: WrittenForm.all)
    func reading(_ written: WrittenForm) {
        let fields = written.fields
        let form = FormAnalysis(of: fields, context: written.context)
        #expect(form.kind == written.kind)
        #expect(form.findings.map(\.role.rawValue).joined(separator: " ") == written.roles)
        #expect(form.obstacles.isEmpty == written.offered, "\(form.obstacles)")
        #expect(
            form.grounds.contains { $0.contains(written.because) },
            "\(form.grounds.joined(separator: "\n"))")
        #expect(form.findings.map(\.field) == fields.map(\.id))
    }

    @Test("No form of the table is there twice, and there are a hundred of them or more")
    func table() {
        let all = WrittenForm.all
        #expect(Set(all.map(\.source)).count == all.count)
        #expect(all.count >= 100)
    }

    @Test("A field that the user does not see is filled in no form")
    func hidden() {
        for written in WrittenForm.all {
            let form = FormAnalysis(of: written.fields, context: written.context)
            let filled = [form.usernameField].compactMap(\.self) + form.passwordFields + form.newPasswordFields
            let hidden = written.fields.filter(\.isHidden).map(\.id)
            #expect(Set(filled).isDisjoint(with: hidden))
        }
    }
}
