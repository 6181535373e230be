// SPDX-License-Identifier: Apache-2.0
internal import CPasswordEstimate
internal import SecretMemory

/// How many guesses a password withstands, estimated by libzxcvbn (Wheeler, USENIX Security 2016): dictionaries, names, dates,
/// sequences and neighbouring keys are tried before all combinations of characters.
struct PasswordEstimate: Hashable {
    /// The base-2 logarithm of the number of guesses.
    let bits: Double
    /// What most of it is, as a phrase; nil where no pattern is guessed before others.
    let pattern: String?

    /// Whether this build has the library.
    static var isAvailable: Bool { af_estimates_passwords() }

    /// nil where the build has no libzxcvbn, and for a password with a zero byte.
    ///
    /// - Parameter own: what guessers try first: the user name, the names of the site.
    init?(_ password: SecretBytes, own: [String]) {
        guard Self.isAvailable, password.withUnsafeBytes({ !$0.contains(0) }) else { return nil }
        let text = SecretBytes(count: password.count + 1) { memory in
            password.withUnsafeBytes { memory.copyMemory(from: $0) }
        }
        var pattern = af_pattern_none
        bits = Self.withStrings(own) { names in
            text.withUnsafeBytes { bytes in
                af_password_estimate(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), names, &pattern)
            }
        }
        self.pattern = Self.phrase(of: pattern)
    }

    private static func phrase(of pattern: af_password_pattern) -> String? {
        switch pattern {
        case af_pattern_dictionary: "a common word or password"
        case af_pattern_disguised: "a common word with digits or marks for letters"
        case af_pattern_own_name: "the user name or the site's name"
        case af_pattern_repetition: "repeated characters"
        case af_pattern_sequence: "a sequence such as abc or 321"
        case af_pattern_keys: "neighbouring keys"
        case af_pattern_date: "a date"
        default: nil
        }
    }

    /// Calls `body` with C strings, ended by NULL; without those that have a zero byte, and without names so short that they occur
    /// in passwords by chance.
    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let texts = strings.filter { $0.utf8.count >= HealthLimits.shortestName && !$0.utf8.contains(0) }
            .map { Array($0.utf8CString) }
        let all = texts.flatMap { $0 }
        return all.withUnsafeBufferPointer { all in
            var pointers: [UnsafePointer<CChar>?] = []
            var next = 0
            for text in texts {
                pointers.append(all.baseAddress.map { $0 + next })
                next += text.count
            }
            return (pointers + [nil]).withUnsafeBufferPointer { source in
                withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: source.count) { list in
                    _ = list.initialize(from: source)
                    return body(list.baseAddress)
                }
            }
        }
    }
}
