// SPDX-License-Identifier: Apache-2.0

/// Puts the answer of `autofill-associations` together from the bytes that arrive: one report, in the first line.
package struct AssociationAnswer: Sendable {
    private var bytes: [UInt8] = []
    private var framing: LineFraming

    /// - Parameter limit: bytes of the line at most.
    package init(limit: Int = AssociationReport.lineBytes) { framing = LineFraming(maximumLength: limit) }

    /// Takes more bytes: the report once its line is whole, nil before. It throws for a line that is too long or no report.
    package mutating func take(_ more: some Sequence<UInt8>) throws(ProtocolProblem) -> AssociationReport? {
        bytes += more
        switch bytes.withUnsafeBytes({ framing.next(in: $0) }) {
        case .needsMore: return nil
        case .line(let length): return try AssociationReport(line: bytes[..<length])
        case .tooLong, .skip: throw ProtocolProblem(.lineTooLong)
        }
    }
}
