// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Messages between `autofilld` and `autofill-associations`: the result is the same however the bytes arrive, and an
/// accepted message is written the same way.
enum HandoverTarget {
    static let seeds =
        [
            AssociationReport(
                domain: "shop.example.com", mode: .developer, validSeconds: 3600,
                files: [
                    .init(
                        file: "apple-app-site-association", status: 200, failure: nil, detail: nil,
                        apps: ["org.example.Shop"]),
                    .init(file: "assetlinks.json", status: 404, failure: .status, detail: "HTTP \u{1}\n", apps: []),
                ]
            ).line,
            AssociationReport.unavailable(.init(domain: "a.b", mode: .standard), "no answer").line,
            AssociationQuery(domain: "shop.example.com", mode: .standard).line,
        ].map { [7] + $0 }

    static func run(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        // The one limit is above all that is tried here, the other in the midst of it.
        for limit in [AssociationReport.lineBytes, 256] {
            let whole = outcome(of: bytes, in: bytes.count, limit)
            let pieces = outcome(of: bytes, in: Int(first) + 1, limit)
            try require(whole == pieces, "\(whole) whole, \(pieces) in pieces")
            try require(whole == expected(bytes, limit), "\(whole), not \(expected(bytes, limit))")
            if case .report(let line) = whole { try require(line.last == 0x0A, "a report without its end") }
        }
        let line = bytes.prefix { $0 != 0x0A }
        if let report = try? AssociationReport(line: line) { try hold(report) }
        if let query = try? AssociationQuery(line: line) {
            try require((1...253).contains(query.domain.utf8.count), "a domain of \(query.domain.utf8.count) bytes")
            try require(AssociationQuery(line: query.line).line == query.line, "another query arrives")
        }
    }

    private enum Outcome: Hashable {
        /// As it is written again.
        case report([UInt8])
        case refused(ProtocolProblem)
        case unfinished
    }

    private static func outcome(of bytes: [UInt8], in step: Int, _ limit: Int) -> Outcome {
        var answer = AssociationAnswer(limit: limit)
        do {
            for start in stride(from: 0, to: bytes.count, by: max(1, step)) {
                if let report = try answer.take(bytes[start...].prefix(max(1, step))) { return .report(report.line) }
            }
            return .unfinished
        } catch {
            return .refused(error)
        }
    }

    private static func expected(_ bytes: [UInt8], _ limit: Int) -> Outcome {
        let end = bytes.firstIndex(of: 0x0A)
        guard end ?? bytes.count <= limit else { return .refused(ProtocolProblem(.lineTooLong)) }
        guard let end else { return .unfinished }
        do { return .report(try AssociationReport(line: bytes[..<end]).line) } catch { return .refused(error) }
    }

    private static func hold(_ report: AssociationReport) throws {
        try require((1...253).contains(report.domain.utf8.count), "a domain of \(report.domain.utf8.count) bytes")
        try require(
            (0...Limits.associationSeconds.upperBound).contains(report.validSeconds), "\(report.validSeconds) s")
        try require(report.files.count <= 8, "\(report.files.count) files")
        try require(report.isAnswered == !report.files.allSatisfy { $0.failure != nil }, "answered or not?")
        for app in report.files.flatMap(\.apps) { try require(report.lists(app), "\(app) is not listed") }
        let again = try AssociationReport(line: report.line)
        try require(again == report && again.line == report.line, "another report arrives")
    }
}
