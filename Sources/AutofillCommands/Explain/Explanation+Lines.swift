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
            let title = "  \(mark)  \(condition.title)"
            let style: Console.Style? = condition.isHeld == nil ? .dim : nil
            let evidence = condition.evidence.printable
            if let room = console.width, room < width + Self.leastEvidence {
                lines.append(title)
                lines += hanging("      ", width: 6, evidence, console, styled: style)
            } else {
                let gap = String(repeating: " ", count: width - condition.title.columns + 2)
                lines += hanging(title + gap, width: width + 8, evidence, console, styled: style)
            }
            if let fix = condition.reason?.fix {
                lines += hanging("      Fix: ", width: 11, fix.printable, console, styled: nil)
            }
        }
        lines.append("")
        if let unavailable {
            lines.append("Not asked: \(unavailable.message).")
            if let fix = unavailable.fix { lines += hanging("      Fix: ", width: 11, fix, console, styled: nil) }
        }
        lines.append(verdict(console))
        return lines
    }

    /// Columns that evidence needs to stand beside its condition.
    private static let leastEvidence = 48

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
