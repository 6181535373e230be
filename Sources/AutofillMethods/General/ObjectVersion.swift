// SPDX-License-Identifier: Apache-2.0

/// The version of a stored object as apps have it: opaque to them.
func wireVersion(_ version: UInt64) -> String { String(version) }

/// The version that an app has sent back; for what is none of ours one that no object has.
func storedVersion(_ text: String) -> UInt64 {
    guard let version = UInt64(text), version > 0, wireVersion(version) == text else { return .max }
    return version
}
