// SPDX-License-Identifier: Apache-2.0

/// Rows in columns, fitted to the width of the terminal: cells that are useless when cut (ids, files, sentences) are
/// printed on their own line if they do not fit, and other columns are cut, the widest first.
struct Table: Sendable {
    let header: [String]
    private(set) var rows: [[String]] = []

    private static let gap = 2
    /// Columns that are never cut. At the end of a row they are printed below it.
    private static let whole: Set = ["ID", "WHAT IT IS FOR", "FILE", "OUTCOME", "PROGRAM", "LAST FAILURE"]
    /// Columns of times, which are cut last.
    private static let times: Set = [
        "TIME", "MADE", "SINCE", "CHANGED", "DELETED", "LAST USED", "UNTIL", "LAST ASKED", "LAST MERGED",
    ]
    /// Columns that are only informative, which are cut first, to the least width.
    private static let casual: Set = ["LABEL"]
    private static let casualWidth = 12
    /// The least width of a column.
    private static let leastWidth = 8

    init(_ header: String...) { self.header = header }

    /// - Parameter cells: one per column. Untrusted text is printed with control characters escaped.
    mutating func add(_ cells: String...) { rows.append(cells.map(\.printable)) }

    /// - Parameter width: columns of the terminal; nil for unlimited.
    func lines(width: Int?) -> [String] {
        let natural = header.indices.map { index in ([header] + rows).map { $0[index].columns }.max() ?? 0 }
        var count = header.count
        if let width {
            while count > 1, Self.whole.contains(header[count - 1]), Self.columns(natural[..<count]) > width {
                count -= 1
            }
        }
        let widths = Self.fitted(Array(natural[..<count]), header, within: width)
        return ([header] + rows).enumerated().flatMap { index, cells in
            [Self.line(cells[..<count], widths)] + (index == 0 ? [] : Self.below(cells[count...], width ?? .max))
        }
    }

    private static func columns(_ widths: ArraySlice<Int>) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

    private static func line(_ cells: ArraySlice<String>, _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let text = cell.cut(toColumns: widths[index])
            line += text
            if index < cells.count - 1 { line += String(repeating: " ", count: widths[index] - text.columns + gap) }
        }
        // An empty cell at the end leaves no blanks.
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The last cells of a row, below it: sentences are wrapped, other cells are not.
    private static func below(_ cells: ArraySlice<String>, _ width: Int) -> [String] {
        let texts = cells.filter { !$0.isEmpty }
        let together = texts.joined(separator: String(repeating: " ", count: gap))
        let lines = together.columns + gap <= width ? [together] : Array(texts)
        return lines.filter { !$0.isEmpty }.flatMap { line in
            (line.contains(" ") ? line.wrapped(toColumns: max(20, width - gap)) : [line]).map {
                String(repeating: " ", count: gap) + $0
            }
        }
    }

    private static func fitted(_ natural: [Int], _ header: [String], within limit: Int?) -> [Int] {
        var widths = natural
        guard let limit else { return widths }
        for index in widths.indices where casual.contains(header[index]) && widths.count > 1 {
            let excess = columns(widths[...]) - limit
            if excess > 0 { widths[index] = max(min(widths[index], casualWidth), widths[index] - excess) }
        }
        for mayCutTimes in [false, true] {
            while columns(widths[...]) > limit {
                let open = widths.indices.filter { mayCutTimes || !times.contains(header[$0]) }
                guard let widest = open.max(by: { widths[$0] < widths[$1] }), widths[widest] > leastWidth else { break }
                widths[widest] -= 1
            }
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
