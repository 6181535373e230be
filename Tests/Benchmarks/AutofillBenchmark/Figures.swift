// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import Foundation

/// One line of the table.
struct Figure: Codable {
    let name: String
    let unit: String
    let value: Double
    var p99: Double?
    /// The same of the bare floor, in the same run.
    var bare: Double?
    var bareP99: Double?
    /// What is wanted: of the ratio to the floor where there is one, else of the value.
    var atMost: Double?
    var atLeast: Double?

    var ratio: Double? { bare.map { value / $0 } }

    func line(since before: Figure?) -> String {
        var text = Self.pad(name, 46) + Self.pad(Self.text(value) + " " + unit, 18)
        text += Self.pad(p99.map { "p99 " + Self.text($0) } ?? "", 16)
        var against = bare.map { "\(Timing.text(value / $0)) × bare \(Self.text($0))" } ?? ""
        if let p99, let bareP99 { against += ", p99 \(Timing.text(p99 / bareP99)) ×" }
        text += Self.pad(against, 40)
        let judged = ratio ?? value
        if let atMost { text += "≤ \(Self.text(atMost)) " + (judged <= atMost ? "holds" : "MISSED") }
        if let atLeast { text += "≥ \(Self.text(atLeast)) " + (judged >= atLeast ? "holds" : "MISSED") }
        if let before { text += "   was \(Self.text(before.ratio ?? before.value))" + (ratio == nil ? "" : " ×") }
        return text
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func text(_ value: Double) -> String {
        value >= 1000 ? String(Int(value.rounded())) : Timing.text(value)
    }
}

/// All figures of a run.
struct Figures: Codable {
    private var figures: [Figure] = []

    init() {}

    init(contentsOf path: String) throws {
        self = try JSONDecoder().decode(Figures.self, from: Data(contentsOf: URL(filePath: path)))
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(filePath: path))
    }

    subscript(name: String) -> Figure? { figures.first { $0.name == name } }

    mutating func add(_ figure: Figure) { figures.append(figure) }

    /// A duration in microseconds, against that of the floor.
    mutating func add(
        _ name: String, _ timing: Timing, against bare: Timing? = nil, atMost: Double? = nil
    ) {
        add(
            Figure(
                name: name, unit: "µs", value: timing.median, p99: timing.percentile(0.99), bare: bare?.median,
                bareP99: bare?.percentile(0.99), atMost: atMost))
    }

    /// What `measure` added.
    mutating func take(_ measure: (inout Figures) throws -> Void) rethrows -> [Figure] {
        let before = figures.count
        try measure(&self)
        return Array(figures[before...])
    }
}
