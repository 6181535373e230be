// SPDX-License-Identifier: Apache-2.0
/// Every limit of the playground's server. Server.md has the same numbers.
package enum PlaygroundLimits {
    /// Connections at a time; one more ends the oldest.
    package static let connections = 32
    /// Bytes of a request's line and header fields.
    package static let headBytes = 8192
    /// Bytes of a request's body: a descriptor of the greatest length, escaped.
    package static let bodyBytes = 65_536
    /// The time from the acceptance of a connection to the end of its answer.
    package static let connectionTime = Duration.seconds(10)
    /// The time without a request that has the token, after which the server ends.
    package static let idleTime = Duration.seconds(30 * 60)
    /// Passwords that are shown, and passwords of a download and of a histogram.
    package static let shown = 5
    package static let drawn = 1000
    /// Bytes of a password to check.
    package static let passwordBytes = 4096
    /// Bytes of a search among the known sites, and sites of an answer.
    package static let searchBytes = 253
    package static let sites = 20
    /// The greatest length of which all passwords are counted for the chart of lengths.
    package static let countedLength = 64
}
