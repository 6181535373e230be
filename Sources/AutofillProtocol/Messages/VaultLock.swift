// SPDX-License-Identifier: Apache-2.0

/// Closes the vault: its keys leave the memory.
package struct VaultLock: MethodCall {
    package typealias Answer = Changed
    package static let method = Method.vaultLock

    package init() {}
    package init(from members: inout MemberReader) throws(ProtocolProblem) {}
    package func write(to writer: inout JSONWriter) {}
}
