// SPDX-License-Identifier: Apache-2.0

extension PasswordGenerator {
    /// Something about the choice of format and length that the caller should know.
    package enum Note: Hashable, Sendable {
        /// The rules do not admit the readable format; the password is of random characters.
        case notReadable(ReadableObstacle)
        /// The rules do not allow the target strength; this is the strongest they allow.
        case targetNotReached(bits: Double, target: Double)
        /// The rules force less than 8 characters, NIST SP 800-63B's floor.
        case belowFloorLength(Int)
        /// The rules force less than 15 characters, NIST SP 800-63B's floor where the password is the sole factor.
        case belowSoleFactorLength(Int)
    }

    /// Why rules do not admit the readable format.
    package enum ReadableObstacle: String, Error, CaseIterable {
        /// Neither 20 nor 18 characters are within the lengths.
        case length
        /// Some letter or digit of the format is not allowed.
        case characters
        /// Not every password of the format has the required characters.
        case required
        /// The format has fewer bits than the target.
        case target
    }
}

extension PasswordGenerator.Note {
    package var code: String {
        switch self {
        case .notReadable: "not-readable"
        case .targetNotReached: "target-not-reached"
        case .belowFloorLength: "below-floor-length"
        case .belowSoleFactorLength: "below-sole-factor-length"
        }
    }

    /// Whether it is about the style only, not about strength.
    package var isAboutStyle: Bool {
        if case .notReadable = self { true } else { false }
    }

    /// One sentence.
    package var message: String {
        switch self {
        case .notReadable(let obstacle): "The readable format cannot be used: \(obstacle.message)"
        case .targetNotReached(let bits, let target):
            "The rules allow \(tenths(bits)) bits at most; the target is \(tenths(target))"
        case .belowFloorLength(let length):
            "The rules force \(length) characters; NIST SP 800-63B requires at least "
                + "\(PasswordRulesLimits.floorLength)"
        case .belowSoleFactorLength(let length):
            "The rules force \(length) characters; NIST SP 800-63B requires at least "
                + "\(PasswordRulesLimits.soleFactorLength) where the password is the only factor"
        }
    }

    private func tenths(_ bits: Double) -> String { String((bits * 10).rounded(.down) / 10) }
}

extension PasswordGenerator.ReadableObstacle {
    package var message: String {
        switch self {
        case .length: "the rules admit neither 20 nor 18 characters"
        case .characters: "the rules forbid some of its letters or digits"
        case .required: "the rules require characters that it may lack"
        case .target: "it holds fewer bits than the target"
        }
    }
}
