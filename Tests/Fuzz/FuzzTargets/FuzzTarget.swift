// SPDX-License-Identifier: Apache-2.0

/// What must never happen, and did.
package struct FuzzFind: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A parser of bytes from outside. `run` throws a `FuzzFind` where an invariant does not hold; it must never crash.
///
/// A new parser gets a case here, a body in a file of its own, and seeds; `Tests/fuzz` and the seeded tests then run
/// it. (JSON texts and password rules have fuzzers of their own: JSONFuzz, PasswordRulesFuzz.)
package enum FuzzTarget: String, CaseIterable, Sendable {
    case framing, request, registration, settings, sandbox, association, handover, code, form, vault, service, table
    case document, snapshot, delta, statement, invitation, keepass, archive

    package func run(_ input: [UInt8]) throws {
        switch self {
        case .framing: try FramingTarget.run(input)
        case .request: try RequestTarget.run(input)
        case .registration: try ConfigurationTarget.runRegistration(input)
        case .settings: try ConfigurationTarget.runSettings(input)
        case .sandbox: try SandboxTarget.run(input)
        case .association: try AssociationTarget.run(input)
        case .handover: try HandoverTarget.run(input)
        case .code: try CodeTarget.run(input)
        case .form: try FormTarget.run(input)
        case .vault: try VaultTarget.run(input)
        case .service: try ServiceTarget.run(input)
        case .table, .document: try ForeignTarget.run(input)
        case .snapshot, .delta: try SyncFileTarget.run(input)
        case .statement: try StatementTarget.run(input)
        case .invitation: try InvitationTarget.run(input)
        case .keepass: try KeePassTarget.run(input)
        case .archive: try ArchiveTarget.run(input)
        }
    }

    /// Good inputs, to begin from.
    package var seeds: [[UInt8]] {
        get throws {
            switch self {
            case .framing: [Array("\u{3}hello\nworld\n\n".utf8), Array("\u{40}a\r\nb".utf8)]
            case .request: RequestTarget.seeds
            case .registration: ConfigurationTarget.registrations
            case .settings: ConfigurationTarget.settings
            case .sandbox: SandboxTarget.seeds
            case .association: AssociationTarget.seeds
            case .handover: HandoverTarget.seeds
            case .code: CodeTarget.seeds
            case .form: FormTarget.seeds
            case .vault: [try VaultTarget.seed()]
            case .service: [Array(0...255), Array((0...255).reversed())]
            case .table: ForeignTarget.tables
            case .document: ForeignTarget.documents
            case .snapshot: try SyncFileTarget.seeds(isSnapshot: true)
            case .delta: try SyncFileTarget.seeds(isSnapshot: false)
            case .statement: try StatementTarget.seeds
            case .invitation: try InvitationTarget.seeds
            case .keepass: KeePassTarget.seeds
            case .archive: ArchiveTarget.seeds
            }
        }
    }
}

func require(_ condition: Bool, _ find: @autoclosure () -> String) throws {
    if !condition { throw FuzzFind(find()) }
}

extension [UInt8] {
    /// Calls `body` with the bytes in memory of their exact size, so that AddressSanitizer sees each read past their
    /// end.
    func withExactMemory<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: self)
        return try body(UnsafeRawBufferPointer(memory))
    }
}
