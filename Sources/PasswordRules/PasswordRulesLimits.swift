// SPDX-License-Identifier: Apache-2.0

/// Every limit of the module. A refusal names the one that was exceeded.
package enum PasswordRulesLimits {
    /// Unicode scalars in a descriptor.
    package static let descriptorScalars = 4096
    /// The same where a descriptor is read exactly as Apple's parser reads it, which has no limit.
    package static let appleDescriptorScalars = 65_536
    /// The largest integer a descriptor can hold, 2^53 − 1; a larger one becomes this, as in Apple's parser.
    package static let largestInteger = 9_007_199_254_740_991
    /// Diagnostics kept for one descriptor; further ones only set the error flag.
    package static let diagnostics = 64
    /// Scalars of the text that a diagnostic quotes.
    package static let diagnosticScalars = 40
    /// Characters in a password that is generated or counted.
    package static let length = 256
    /// Distinct required sets that overlap one another.
    package static let overlappingSets = 8
    /// States of the required rules.
    package static let states = 20_000
    /// Combined demands of overlapping required rules: the product of all multiplicities, each plus one.
    package static let latticePoints = 4096
    /// Words of bitmaps that finding these states may use: some 6 ms.
    package static let matchingSteps = 6_000_000
    /// Additions of 64-bit words that a count may use: some 50 ms.
    package static let countingSteps = 40_000_000
    /// 64-bit words that a count may use at a time, and those of the tables that a draw from rare passwords uses: 4 MiB.
    package static let tableWords = 524_288
    /// Transitions of the required rules up to which a generator is small: 16 KiB.
    package static let smallTransitions = 4096

    /// The default target, in bits: what Apple's default format holds.
    package static let targetBits = 71.0
    /// NIST SP 800-63B, 3.1.1.2: the least length of a password that is one of several factors.
    package static let floorLength = 8
    /// NIST SP 800-63B, 3.1.1.2: the least length of a password that is the only factor.
    package static let soleFactorLength = 15
    /// NIST SP 800-63B, 3.1.1.2: a verifier should permit at least this length.
    package static let permittedLength = 64
}
