// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension Explanation {
    /// For users: a line for each condition, its evidence, and the fix if it does not hold. Evidence that does not fit
    /// beside its condition is printed below it.
    func lines(_ console: Console) -> [String] {
        var lines = [console.styled(domain.map { "\(app) at \($0)" } ?? app, .bold), ""]
        let width = conditions.map(\.title.columns).max() ?? 0
        let isBeside = console.width.map { columns in
            conditions.allSatisfy { width + 8 + $0.evidence.printable.columns <= columns }
        }
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
            if isBeside ?? true {
                let gap = String(repeating: " ", count: width - condition.title.columns + 2)
                lines += console.hanging(title + gap, evidence, indent: width + 8, styled: style)
            } else {
                lines.append(title)
                lines += console.hanging("      ", evidence, styled: style)
            }
            if let fix = condition.reason?.fix { lines += console.hanging("      Fix: ", fix.printable) }
        }
        lines.append("")
        if let unavailable {
            lines.append("Not checked: \(unavailable.message).")
            if let fix = unavailable.fix { lines += console.hanging("      Fix: ", fix) }
        }
        lines += console.hanging("", verdict(console), indent: 2)
        if let meant { lines += console.hanging("  Fix: ", meant.printable) }
        return lines
    }

    private func verdict(_ console: Console) -> String {
        let failed = conditions.filter { $0.isHeld == false }
        let open = conditions.filter { $0.isHeld == nil }.count
        if failed.isEmpty {
            return open == 0
                ? console.styled("AutoFill works;", .green) + " all conditions hold."
                : "\(open.counted("condition")) marked ? could not be checked; the others hold."
        }
        return console.styled(
            failed.count == 1 ? "1 condition does not hold." : "\(failed.count) conditions do not hold.", .red)
            + " The app receives: \(failed.first?.reason?.reason ?? "")."
    }
}
