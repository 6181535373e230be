// SPDX-License-Identifier: Apache-2.0

/// A user name and a password: Apple's `ASPasswordCredential`. The description withholds the password.
public struct PasswordCredential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The user name, 1 to 1,024 bytes.
    public let user: String
    /// The password, 1 to 4,096 bytes.
    public let password: String

    /// - Parameters:
    ///   - user: the user name.
    ///   - password: the password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The user name only.
    public var description: String { "PasswordCredential(user: \(user))" }
    /// The user name only.
    public var debugDescription: String { description }
    /// The user name only.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
