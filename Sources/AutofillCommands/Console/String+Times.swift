// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A time of the wire, to the minute: `2026-11-21 09:30Z`.
    var minute: String { time(characters: 5) }

    /// A time of the wire, to the second: `2026-11-21 09:30:00Z`.
    var second: String { time(characters: 8) }

    private func time(characters: Int) -> String {
        guard utf8.count >= 11 + characters else { return self }
        return "\(prefix(10)) \(dropFirst(11).prefix(characters))Z"
    }
}
