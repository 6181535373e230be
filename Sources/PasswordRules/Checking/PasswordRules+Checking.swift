// SPDX-License-Identifier: Apache-2.0

extension PasswordRules {
    /// The rules that a password breaks, in canonical order; none where it meets them all, in the strict reading.
    ///
    /// The time is linear in its length. The result has positions only, and no copy of the password is kept.
    package func violations(in password: UnsafeRawBufferPointer) -> [PasswordViolation] {
        var checker = PasswordChecker(self)
        var decoder = UTF8()
        var bytes = password.makeIterator()
        decoding: while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): checker.append(scalar)
            case .emptyInput: break decoding
            case .error: return [PasswordViolation(.notText, "")]
            }
        }
        return checker.finish()
    }

    /// The same for a string, which cannot be erased: for clients and tests, never for the daemon.
    package func violations(in password: String) -> [PasswordViolation] {
        var checker = PasswordChecker(self)
        for scalar in password.unicodeScalars { checker.append(scalar) }
        return checker.finish()
    }
}
