// SPDX-License-Identifier: Apache-2.0

/// A form while it is read: its fields, and their roles so far.
struct FormReading {
    let fields: [FieldReading]
    let context: ContextWords
    /// The common prefix of most of the fields' ids: it describes the form, not a field.
    let shared: FieldWords.Source
    /// The field for the user's name, of those that have that role.
    var username: Int?
    private var roles: [(role: FieldFinding.Role, ground: String)]

    init(_ described: [FormField], _ context: FormContext) {
        let shared = Self.sharedWords(described)
        let words = described.map { FieldWords($0, shared: shared) }
        let others = FieldReading.Others(described, words)
        fields = zip(described, words).map { FieldReading($0, $1, among: others) }
        self.context = ContextWords(context)
        self.shared = FieldWords.Source(code: shared.joined().joined(separator: " "), title: "fields' name")
        roles = fields.map { reading in
            switch reading.purpose {
            case .stated(.username): (.username, reading.ground)
            case .stated(.emailAddress): (.emailAddress, reading.ground)
            case .stated(.password): (.password, reading.ground)
            case .stated(.newPassword): (.newPassword, reading.ground)
            case .stated(.oneTimeCode), .oneTimeCode: (.oneTimeCode, reading.ground)
            case .search: (.search, reading.ground)
            case .payment: (.payment, reading.ground)
            case .hidden: (.hidden, reading.ground)
            case .stated, .password, .text, .code, .apart: (.other, reading.ground)
            }
        }
    }

    /// The words that the ids, or the names, of three fields or more, and of more than half of them, begin with.
    private static func sharedWords(_ fields: [FormField]) -> [[String]] {
        var shared: [[String]] = []
        let seen = fields.filter { !$0.isHidden }
        for texts in [seen.map(\.id), seen.compactMap(\.name)] {
            let several = texts.map(FoldedText.words).filter { $0.count > 1 }
            guard let group = Dictionary(grouping: several, by: { $0[0] }).values.max(by: { $0.count < $1.count }),
                group.count > 2, group.count * 2 > texts.count, let first = group.first
            else { continue }
            let length = first.indices.prefix { index in
                group.allSatisfy { $0.count > index + 1 && $0[index] == first[index] }
            }.count
            let prefix = Array(first.prefix(length))
            if !shared.contains(prefix) { shared.append(prefix) }
        }
        return shared
    }

    var findings: [FieldFinding] {
        zip(fields, roles).map { FieldFinding(field: $0.field.id, role: $1.role, ground: $1.ground) }
    }

    func role(_ index: Int) -> FieldFinding.Role { roles[index].role }

    func ground(_ index: Int) -> String { roles[index].ground }

    mutating func give(_ role: FieldFinding.Role, to index: Int, _ ground: String) { roles[index] = (role, ground) }

    /// How likely a field is the user's name, by itself; nil where it is none.
    func likelihood(_ index: Int) -> Int? {
        if case .text(let likelihood) = fields[index].purpose { likelihood } else { nil }
    }

    /// The fields for passwords, in order: hidden text, and what the app or the page declares one. Text that is
    /// declared one is the twin of a hidden field beside it, which a switch replaces by it, unless it is declared to be
    /// another.
    var passwordIndices: [Int] {
        let hidesAny = fields.contains { $0.isPassword && $0.isSeen }
        return fields.indices.filter { index in
            let words = fields[index].words
            switch fields[index].purpose {
            case .stated(.password), .stated(.newPassword): return true
            case .password:
                let isOwn = words.has(.new) || words.has(.current) || words.has(.confirmation)
                return role(index) == .other && (fields[index].isPassword || !hidesAny || isOwn)
            default: return false
            }
        }
    }
}
