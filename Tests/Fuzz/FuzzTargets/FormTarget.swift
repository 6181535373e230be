// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Forms
import SecretMemory

/// Forms as apps describe them: invisible fields are never filled, an app's declarations apply, and the results agree.
///
/// An input that begins with a brace is the parameters of `autofill.suggest`. Any other is a field a line: four bytes
/// of attributes, then its name, label and placeholder, separated by `|`.
enum FormTarget {
    static let seeds =
        [
            #"""
            {"service":{"type":"domain","value":"shop.example.com"},"form":{"id":"f","fields":[{"id":"user","type":"email",
            "autocomplete":"section-a Username"},{"id":"p","type":"password","name":"Neues Passwort","maxlength":20,"value":"x"},
            {"id":"q","secure":true,"contentType":"newPassword","passwordRules":"required: digit;","hidden":false}],"focus":"p","heading":"Join"}}
            """#,
            #"{"service":{"type":"domain","value":"shop.example.com"},"form":{"declared":"signUp","fields":[],"focus":"a"}}"#,
            "@@@@email|E-Mail|\nH@@@password\nH@@@password2|repeat\nP@@@csrf",
            "AB@@\nLD@@new\nLD@@", "@@@A\n@@@A\n@@@A\n@@@A\n@@@A\n@@@A", "@@@@user\nH@@Bcurrent\nH@@C\nH@@C",
            "@BEDcard number|cc\nHCAGcvv", "@DCHLogin_Name|Имя|\n@@@@Parole\nJ@@@|密码",
        ].map { Array($0.utf8) }

    static func run(_ input: [UInt8]) throws {
        if input.first != UInt8(ascii: "{") { return try hold(fields(in: input)) }
        guard let call = try? AutofillSuggest(line: input) else { return }
        let again = try AutofillSuggest(line: call.line)
        try require(again.line == call.line, "what is written is not what was read")
        try require(again.form.fields.count == call.form.fields.count, "fields get lost")
        try hold(call.form.fields.enumerated().map(field))
    }

    private static func field(_ index: Int, _ given: FieldDescription) -> FormField {
        FormField(
            id: name(index), contentType: given.contentType.map(ContentType.init(named:)), isSecure: given.isSecure,
            keyboardType: given.keyboardType.flatMap(KeyboardType.init),
            autocomplete: (given.autocomplete ?? "").lowercased().split(separator: " ").map(String.init),
            passwordRules: given.passwordRules, minimumLength: given.minimumLength, maximumLength: given.maximumLength,
            type: given.type?.lowercased(), name: given.name, label: given.label, placeholder: given.placeholder,
            pattern: given.pattern, isHidden: given.isHidden, valueMark: given.value?.count)
    }

    /// A name without any evidence, a different one for each.
    private static func name(_ index: Int) -> String { "\(index).f" }

    private static let types = [
        nil, "text", "password", "email", "tel", "number", "search", "checkbox", "hidden", "date", "url",
    ]
    private static let tokens = [
        nil, "username", "email", "new-password", "current-password", "one-time-code", "cc-number", "name", "tel",
        "off",
    ]

    private static func fields(in input: [UInt8]) -> [FormField] {
        input.split(separator: 0x0A).prefix(24).enumerated().map { index, line in
            let given = (line.prefix(4) + [0, 0, 0, 0]).prefix(4).map { Int($0) }
            let words = line.dropFirst(4).split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            let (type, token) = (types[given[1] % 16 % types.count], tokens[given[2] % 16 % tokens.count])
            return FormField(
                id: name(index), contentType: ([nil] + ContentType.allCases)[given[0] % 8 % 6],
                isSecure: given[0] & 8 != 0,
                keyboardType: given[1] & 16 != 0 ? KeyboardType.allCases[given[2] / 16 % 5] : nil,
                autocomplete: token.map { [$0] } ?? [], passwordRules: given[2] & 128 != 0 ? "minlength: 8;" : nil,
                minimumLength: given[1] & 128 != 0 ? given[3] % 8 : nil,
                maximumLength: given[3] & 15 == 0 ? nil : given[3] & 15, type: type, name: words.first,
                label: words.dropFirst().first, placeholder: words.dropFirst(2).first,
                pattern: given[1] & 32 != 0 ? "[0-9]*" : nil, isHidden: given[0] & 16 != 0,
                valueMark: given[3] & 48 == 0 ? nil : given[3] & 48)
        }
    }
}
