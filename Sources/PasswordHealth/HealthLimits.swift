// SPDX-License-Identifier: Apache-2.0

/// The numbers by which saved passwords are assessed.
package enum HealthLimits {
    /// A password that is found after fewer than 2^34 guesses (1.7 × 10^10) is weak: zxcvbn's scores 0 to 3 are below it.
    package static let weakBits = 34.0
    /// A generated password of so many bytes is not estimated: it was drawn from all valid ones (NIST SP 800-63B, section 3.1.1,
    /// asks for 15 characters).
    package static let generatedBytes = 15
    /// A shorter user name or name of a site is not searched for in passwords, in bytes.
    package static let shortestName = 3
    /// How many sites of a reused password are named, and the longest name that is not cut, in bytes: that of a domain.
    package static let namedSites = 5
    package static let siteNameBytes = 253
    /// The longest line of a list of breached passwords, in bytes.
    package static let breachLineBytes = 128
}
