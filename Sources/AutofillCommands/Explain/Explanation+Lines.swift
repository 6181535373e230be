// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension Explanation {
    /// For people: a line for each condition, its evidence, and the fix where it does not hold.
    func lines(_ console: Console) -> [String] {
        var lines = [console.styled(domain.map { "\(app) at \($0)" } ?? app, .bold), ""]
        let width = conditions.map(\.title.columns).max() ?? 0
        for condition in conditions {
            let mark =
                switch condition.isHeld {
                case true?: console.styled("ok", .green)
                case false?: console.styled("NO", .red)
                case nil: console.styled("? ", .yellow)
                }
            let title = condition.title + String(repeating: " ", count: width - condition.title.columns)
            lines += hanging(
                "  \(mark)  \(title)  ", width: width + 8, condition.evidence.printable, console,
                styled: condition.isHeld == nil ? .dim : nil)
            if let fix = condition.reason?.fix {
                lines += hanging("      Mend it: ", width: 15, fix.printable, console, styled: nil)
            }
        }
        lines.append("")
        if let unavailable {
            lines.append("Not asked: \(unavailable.message).")
            if let fix = unavailable.fix { lines += hanging("      Mend it: ", width: 15, fix, console, styled: nil) }
        }
        lines.append(verdict(console))
        return lines
    }

    private func verdict(_ console: Console) -> String {
        let failed = conditions.filter { $0.isHeld == false }
        let open = conditions.filter { $0.isHeld == nil }.count
        if failed.isEmpty {
            let rest = open == 0 ? "" : " what is marked ? could not be told here."
            return console.styled("Nothing stands in the way;", .green)
                + (rest.isEmpty ? " all conditions hold." : rest)
        }
        return console.styled(
            failed.count == 1 ? "1 condition does not hold." : "\(failed.count) conditions do not hold.", .red)
            + " An app is told the first: \(failed.first?.reason?.reason ?? "")."
    }

    /// Text at the right of a heading, wrapped under itself on a terminal.
    private func hanging(
        _ heading: String, width: Int, _ text: String, _ console: Console, styled style: Console.Style?
    ) -> [String] {
        let parts = console.width.map { text.wrapped(toColumns: max(20, $0 - width)) } ?? [text]
        return parts.enumerated().map { index, part in
            (index == 0 ? heading : String(repeating: " ", count: width))
                + (style.map { console.styled(part, $0) } ?? part)
        }
    }
}
