// SPDX-License-Identifier: Apache-2.0
import Forms

extension FormTarget {
    static func hold(_ fields: [FormField]) throws {
        let form = FormAnalysis(of: fields)
        try require(form.findings.map(\.field) == fields.map(\.id), "not a finding for each field")
        try require(form.grounds.count == fields.count + 1 && !form.grounds.contains(""), "not a ground for each")
        for (field, finding) in zip(fields, form.findings) {
            try require(allowed(field)?.contains(finding.role) ?? true, "\(field) is read as \(finding)")
        }
        try holdResults(form, fields)
        try holdBounds(form, fields)
        try holdLikeness(form, fields)
    }

    /// The roles that a field may have when the app or the page has declared it; nil where neither has.
    private static func allowed(_ field: FormField) -> Set<FieldFinding.Role>? {
        if field.isHidden { return [.hidden] }
        return switch field.contentType {
        case .username: [.username]
        case .emailAddress: [.emailAddress]
        case .password: [.password]
        case .newPassword: [.newPassword, .confirmation]
        case .oneTimeCode: [.oneTimeCode]
        case nil: nil
        case .some(let other): [other.rawValue.hasPrefix("cc-") ? .payment : .other]
        }
    }

    private static func holdResults(_ form: FormAnalysis, _ fields: [FormField]) throws {
        func ids(_ roles: Set<FieldFinding.Role>) -> [String] {
            form.findings.filter { roles.contains($0.role) }.map(\.field)
        }
        try require(form.newPasswordFields == ids([.newPassword, .confirmation]), "the fields for the new password")
        try require(
            ids([.newPassword]) == Array(form.newPasswordFields.prefix(1)), "the confirmation is first, or missing")
        try require(form.passwordFields == ids([.password]), "the fields for the current password")
        try require(form.oneTimeCodeFields == ids([.oneTimeCode]), "the fields for a code")
        let names = ids([.username])
        try require(form.usernameField.map(names.contains) ?? names.isEmpty, "the field for the user name")
        if let hidden = form.hiddenUsernameField {
            try require(fields.contains { $0.id == hidden && $0.isHidden }, "\(hidden) is seen")
        }
        let isKind =
            switch form.kind {
            // A sign-in may be beside it.
            case .signUp: !form.newPasswordFields.isEmpty
            case .changePassword: !form.newPasswordFields.isEmpty && !form.passwordFields.isEmpty
            case .signIn: form.newPasswordFields.isEmpty && (!form.passwordFields.isEmpty || form.usernameField != nil)
            case .oneTimeCode: !form.oneTimeCodeFields.isEmpty && form.newPasswordFields + form.passwordFields == []
            case .other: form.newPasswordFields + form.passwordFields + form.oneTimeCodeFields == []
            }
        try require(isKind, "\(form.findings) is \(form.kind)")
        let shown = fields.first { form.newPasswordFields.contains($0.id) && !$0.isSecure }
        var obstacles: [FormAnalysis.Obstacle] = form.newPasswordFields.isEmpty ? [.newPasswordFieldMissing] : []
        obstacles += shown.map { [.fieldNotSecure(field: $0.id)] } ?? []
        if form.usernameField == nil, form.kind != .changePassword { obstacles.append(.usernameFieldMissing) }
        try require(form.obstacles == obstacles, "\(form.obstacles), not \(obstacles)")
    }

    /// The rules in effect are of a field for the new password, and no such field accepts less or more than its bounds.
    private static func holdBounds(_ form: FormAnalysis, _ fields: [FormField]) throws {
        let new = fields.filter { form.newPasswordFields.contains($0.id) }
        let ruled = form.ruledField(of: fields)
        try require(
            ruled == nil ? new.isEmpty : new.contains { $0.id == ruled?.id }, "\(ruled?.id ?? "") has the rules")
        try require(ruled?.passwordRules != nil || new.allSatisfy { $0.passwordRules == nil }, "rules are passed over")
        let bounds = form.lengthBounds(of: fields)
        for field in new {
            try require(field.minimumLength ?? 0 <= bounds.minimum ?? 0, "\(field.id) requires more than \(bounds)")
            try require(
                field.maximumLength ?? .max >= bounds.maximum ?? .max, "\(field.id) accepts less than \(bounds)")
        }
        try require(form.patterns(of: fields).count == new.count { $0.pattern != nil }, "a pattern is passed over")
    }

    /// Invisible fields and values change nothing: only whether a value is the same as another.
    private static func holdLikeness(_ form: FormAnalysis, _ fields: [FormField]) throws {
        let others = fields.map { field in
            FormField(
                id: field.id, contentType: field.contentType, isSecure: field.isSecure,
                keyboardType: field.keyboardType,
                autocomplete: field.autocomplete, passwordRules: field.passwordRules,
                minimumLength: field.minimumLength,
                maximumLength: field.maximumLength, type: field.type, name: field.name, label: field.label,
                placeholder: field.placeholder, pattern: field.pattern, isHidden: field.isHidden,
                valueMark: field.valueMark.map { -$0 })
        }
        try require(FormAnalysis(of: others) == form, "the values themselves count")
        let more = FormAnalysis(of: fields + [FormField(id: "zz", isHidden: true)])
        try require(
            Array(more.findings.dropLast()) == form.findings && more.kind == form.kind
                && more.obstacles == form.obstacles,
            "an invisible field counts")
    }
}
