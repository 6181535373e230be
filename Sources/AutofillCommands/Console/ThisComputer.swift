// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The names of this computer and of its user.
enum ThisComputer {
    /// The user's login name; the number where there is none.
    static var user: String {
        getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "\(getuid())"
    }

    /// The host name; empty where there is none.
    static var name: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
