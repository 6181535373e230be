// SPDX-License-Identifier: Apache-2.0

/// Grows whenever what a decision rests on has changed: settings, registrations, associations, grants, the vault. What was
/// decided at an earlier revision is decided again.
final class PolicyRevision {
    private(set) var number: UInt64 = 0

    func advance() { number += 1 }
}
