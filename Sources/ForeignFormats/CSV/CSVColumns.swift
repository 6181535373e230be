// SPDX-License-Identifier: Apache-2.0

/// What the columns of one file have: recognised by their names, or named by the user.
package struct CSVColumns: Sendable {
    /// A column that the user has named: by the name in the header, or by its number from 1 in a file without a header.
    package struct Named: Sendable {
        package let role: CSVRole
        package let column: String

        package init(role: CSVRole, column: String) {
            self.role = role
            self.column = column
        }
    }

    let format: CSVFormat
    let names: [String]
    let roles: [CSVRole]
    /// Whether the first line is the header, and no entry.
    let hasHeader: Bool

    /// For the first line of a file. `missing` is the problem where the header is of no recognised program.
    init(_ first: [CSVField], _ named: [Named]) throws(ConversionError.Problem) {
        let texts = first.map { $0.text.trimmed }
        let header = texts.map { $0.lowercased() }
        if named.isEmpty {
            guard let format = CSVFormat.recognise(header) else { throw .unknownHeader }
            guard Set(header).count == header.count else { throw .repeatedColumn }
            let roles = header.map { format.role($0) ?? .field }
            self.format = format
            self.roles = roles
            names = texts
            hasHeader = true
            return
        }
        // All are numbers where the file has no header.
        let numbers = named.compactMap { Int($0.column) }
        let hasHeader = numbers.count < named.count
        var roles = texts.map { _ in hasHeader ? CSVRole.field : .ignored }
        for (index, column) in named.enumerated() {
            if hasHeader {
                guard let position = header.firstIndex(of: column.column.trimmed.lowercased()) else {
                    throw .missingColumn
                }
                roles[position] = column.role
            } else {
                guard (1...texts.count).contains(numbers[index]) else { throw .notANumberedColumn }
                roles[numbers[index] - 1] = column.role
            }
        }
        format = CSVFormat("csv", [:])
        names = hasHeader ? texts : texts.indices.map { "column \($0 + 1)" }
        self.roles = roles
        self.hasHeader = hasHeader
    }
}

extension String {
    /// Without the spaces around it.
    var trimmed: String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
        var scalars = unicodeScalars[...].drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return String(scalars)
    }
}
