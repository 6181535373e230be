// SPDX-License-Identifier: Apache-2.0

/// Why a saved password should be changed. It has numbers and phrases, never a part of the password.
package enum PasswordProblem: Hashable, Sendable {
    /// In the user's list of breached passwords, so many times (0: the list has no count).
    case breached(times: Int)
    /// Saved for so many sites, this one included; the first of their names.
    case reused(sites: Int, named: [String])
    /// Guessed after 2^`bits` guesses.
    case weak(bits: Double, because: String?)
    /// Not valid by the rules of the site; each broken rule as a sentence.
    case invalid(rules: String, broken: [String])
    /// Not changed for so many days.
    case old(days: Int)
    /// The site accepts one-time codes, and none is saved.
    case withoutCode

    /// Its position in the wire's list of problems; 0 is the most severe.
    package var severity: Int {
        switch self {
        case .breached: 0
        case .reused: 1
        case .weak: 2
        case .invalid: 3
        case .old: 4
        case .withoutCode: 5
        }
    }

    /// A sentence for the user, without a full stop.
    package var text: String {
        switch self {
        case .breached(let times):
            times > 1
                ? "The password is in the list of breached passwords, \(times) times"
                : "The password is in the list of breached passwords"
        case .reused(let sites, let named):
            "The password is used at \(sites) sites: \(named.joined(separator: ", "))"
                + (sites > named.count ? " and \(sites - named.count) more" : "")
        case .weak(let bits, let pattern):
            "The password is found after \(Self.guesses(bits))" + (pattern.map { "; most of it is \($0)" } ?? "")
        case .invalid(let rules, let broken):
            "The password breaks the site's rules “\(rules)”: \(broken.joined(separator: "; "))"
        case .old(let days): "The password was last changed \(days) days ago"
        case .withoutCode: "The site accepts one-time codes, and none is saved"
        }
    }

    /// A number of guesses as text: `some 4,000 guesses`.
    static func guesses(_ bits: Double) -> String {
        let digits = Int((bits * 0.301_03).rounded(.down))
        return switch digits {
        case ..<3: "fewer than 1,000 guesses"
        case ..<6: "some thousands of guesses"
        case ..<9: "some millions of guesses"
        default: "some billions of guesses"
        }
    }
}
