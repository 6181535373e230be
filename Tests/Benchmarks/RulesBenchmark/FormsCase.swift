// SPDX-License-Identifier: Apache-2.0
import Forms
import Foundation

/// Reading the longest of the real forms, as `autofill.suggest` does with each: to stay under a millisecond.
extension RulesBenchmark {
    static func readingForms() throws {
        let path = "../shared/fixtures/forms/forms.jsonl"
        guard let data = FileManager.default.contents(atPath: path) else {
            return line("read, longest form", "\(path) is absent")
        }
        let forms = try data.split(separator: 10).map { line in
            try JSONDecoder().decode(Form.self, from: line).fields.map(\.field)
        }
        guard let longest = forms.max(by: { $0.count < $1.count }) else { return }
        let rounds = 1000
        let first = seconds { _ = FormAnalysis(of: longest) }
        let time = seconds { for _ in 0..<rounds { _ = FormAnalysis(of: longest) } }
        line(
            "read, longest form",
            String(format: "%.3f ms, %d fields; %.1f ms the first time", time, longest.count, first * 1e3))
        let all = seconds { for form in forms { _ = FormAnalysis(of: form) } }
        line("read, real forms", String(format: "mean %.3f ms", all / Double(forms.count) * 1e3))
        let slowest = forms.map { form in seconds { for _ in 0..<100 { _ = FormAnalysis(of: form) } } / 100 }.max() ?? 0
        line("read, slowest real form", String(format: "%.3f ms", slowest * 1e3))
        for (name, words) in worst {
            let form = (0..<64).map { field($0, words) }
            let time = seconds { for _ in 0..<10 { _ = FormAnalysis(of: form) } } / 10
            line("read, worst form, \(name)", String(format: "%.3f ms, %d fields", time * 1e3, form.count))
        }
    }

    /// The words of the texts of the longest form: recognised, nearly recognised, and unknown ones.
    private static let worst = [
        ("Latin", "E-Mail or user name, new Passwort: benutzernam passwor "),
        ("camel case", "newUserPasswordEMailCode2"),
        ("no spaces", "新しいパスワード会員番号密码用户名"), ("one word", "x"),
    ]

    /// A field of which 64 fill the longest line (`Limits.lineBytes`).
    private static func field(_ index: Int, _ words: String) -> FormField {
        func text(_ bytes: Int) -> String {
            String(String(repeating: words, count: bytes / words.utf8.count).dropFirst(index % 8)) + "\(index)"
        }
        return FormField(
            id: text(60), isSecure: index > 60, autocomplete: [], type: "text", name: text(200), label: text(300),
            placeholder: text(300), isHidden: false)
    }

    private struct Form: Decodable {
        let fields: [Field]
    }

    private struct Field: Decodable {
        let id: String
        let type, name, label, placeholder, autocomplete: String?
        let hidden: Bool?

        var field: FormField {
            FormField(
                id: id, isSecure: type == "password",
                autocomplete: (autocomplete ?? "").lowercased().split(separator: " ").map(String.init), type: type,
                name: name, label: label, placeholder: placeholder, isHidden: hidden ?? false)
        }
    }
}
