// SPDX-License-Identifier: Apache-2.0

/// Rows in columns, fitted to the width of the terminal: ids, which other commands take, and sentences go to lines of their own
/// where there is no room, and what is still too wide is cut, the widest column first.
struct Table: Sendable {
    let header: [String]
    private(set) var rows: [[String]] = []

    private static let gap = 2
    /// Columns that are whole or of no use.
    private static let whole: Set = ["ID", "WHAT IT IS FOR"]
    /// No column is cut below this.
    private static let leastWidth = 8

    init(_ header: String...) { self.init(header: header) }

    private init(header: [String]) { self.header = header }

    /// - Parameter cells: one for each column. Text from outside is shown without what a terminal would act on.
    mutating func add(_ cells: String...) { rows.append(cells.map(\.printable)) }

    /// - Parameter width: columns of the terminal; nil for as wide as it is.
    func lines(width: Int?) -> [String] {
        let natural = widths(within: nil)
        if let width, Self.whole.contains(header.last ?? ""),
            natural.reduce(0, +) + Self.gap * (natural.count - 1) > width
        {
            return linesWithLastBelow(width)
        }
        let widths = widths(within: width)
        return ([header] + rows).map { cells in
            var line = ""
            for (index, cell) in cells.enumerated() {
                let text = cell.cut(toColumns: widths[index])
                line += text
                if index < cells.count - 1 {
                    line += String(repeating: " ", count: widths[index] - text.columns + Self.gap)
                }
            }
            return line
        }
    }

    private func linesWithLastBelow(_ width: Int) -> [String] {
        var rest = Table(header: Array(header.dropLast()))
        rest.rows = rows.map { Array($0.dropLast()) }
        let lines = rest.lines(width: width)
        let isID = header.last == "ID"
        return lines[..<1]
            + zip(lines.dropFirst(), rows).flatMap { line, row in
                let last = row.last ?? ""
                let below = isID ? [last] : last.wrapped(toColumns: max(20, width - 2))
                return [line] + below.map { "  " + $0 }
            }
    }

    private func widths(within limit: Int?) -> [Int] {
        var widths = header.indices.map { index in ([header] + rows).map { $0[index].columns }.max() ?? 0 }
        guard let limit else { return widths }
        let room = limit - Self.gap * (widths.count - 1)
        while widths.reduce(0, +) > room {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.leastWidth
            else { break }
            widths[widest] -= 1
        }
        return widths
    }
}

extension Console {
    /// A table, its header in bold on a terminal.
    func print(_ table: Table) {
        for (index, line) in table.lines(width: width).enumerated() { print(index == 0 ? styled(line, .bold) : line) }
    }
}
