// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// The head of a response, line by line as it arrives: checked when it is complete, so that no byte of a refused body
/// is read. Its end is determined strictly (RFC 9112, 6.3): one length, or chunks, never both.
package struct ResponseHead: Sendable {
    /// The status of a head that is whole and good, 200; nil before.
    package private(set) var status: Int?
    /// How long the site lets the file be used, in seconds, within the product's bounds.
    package var seconds: Int { Self.seconds(directives) }
    private var current: Int?
    private var length: Int?
    private var isChunked = false
    private var directives: [Substring] = []
    private var bytes = 0

    package init() {}

    /// Receives a line, with its end.
    package mutating func receive(_ line: some Collection<UInt8>) throws(FetchFailure) {
        bytes += line.count
        guard bytes <= Limits.associationHeadBytes else { throw FetchFailure(.httpInvalid, status: status) }
        // Trailers change nothing.
        guard status == nil else { return }
        let text = String(decoding: line, as: UTF8.self).trimmed
        if text.isEmpty {
            try end()
        } else if text.hasPrefix("HTTP/") {
            let fields = text.split(separator: " ", maxSplits: 2)
            guard fields.count > 1, let number = Int(fields[1]), (100...999).contains(number) else {
                throw FetchFailure(.httpInvalid)
            }
            (current, length, isChunked, directives) = (number, nil, false, [])
        } else if let colon = text.firstIndex(of: ":") {
            try receive(
                name: text[..<colon].lowercased(), value: text[text.index(after: colon)...].lowercased().trimmed)
        }
    }

    private mutating func receive(name: String, value: Substring) throws(FetchFailure) {
        switch name {
        case "content-length":
            guard length == nil, !isChunked, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else {
                throw FetchFailure(.httpInvalid)
            }
            length = Int(value) ?? .max
        case "transfer-encoding":
            guard length == nil, !isChunked, value == "chunked" else { throw FetchFailure(.httpInvalid) }
            isChunked = true
        case "cache-control": directives += value.split(separator: ",").map(\.trimmed)
        default: break
        }
    }

    private mutating func end() throws(FetchFailure) {
        switch current {
        case nil: throw FetchFailure(.httpInvalid)
        // Informational: another head follows.
        case .some(100..<200): current = nil
        case 200:
            guard length ?? 0 <= Limits.associationBytes else { throw FetchFailure(.tooLarge, status: 200) }
            status = 200
        case .some(let other) where (300..<400).contains(other): throw FetchFailure(.redirected, status: other)
        case .some(let other): throw FetchFailure(.status, status: other, "HTTP status \(other)")
        }
    }

    /// `max-age` of Cache-Control (RFC 9111, 5.2.2.1), within bounds.
    private static func seconds(_ directives: [Substring]) -> Int {
        let ages = directives.compactMap { $0.hasPrefix("max-age=") ? Int($0.dropFirst(8)) : nil }
        guard let age = ages.first else { return Limits.associationDefaultSeconds }
        let bounds = Limits.associationSeconds
        return min(max(age, bounds.lowerBound), bounds.upperBound)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Without white space at either end.
    fileprivate var trimmed: Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
