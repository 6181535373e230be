// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import SecretMemory

/// The records that `autofill-convert` writes, from a descriptor.
struct RecordStream: ~Copyable {
    /// One record.
    enum Record {
        /// The first one, with the name of the format.
        case header(source: String)
        /// With the number of bytes that it takes in a request.
        case entry(ImportedEntry, bytes: Int)
        case notImported(NotImported)
        case end
    }

    /// A record that is longer is not imported: a request has no space for it.
    static let longest = Limits.lineBytes - 1024
    private static let readBytes = 64 << 10

    private let descriptor: Int32
    private var unread = SecretBuffer(capacity: 2 * readBytes)
    private var framing = LineFraming(maximumLength: longest)
    private var scanner = JSONScanner(maximumDepth: 8)
    private var hasEnded = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next record; nil at the end of the descriptor.
    mutating func next() throws(CommandFailure) -> Record? {
        while true {
            var framing = framing
            let step = unread.withUnsafeBytes { framing.next(in: $0) }
            self.framing = framing
            switch step {
            case .line(let length):
                let record = try read(length)
                unread.removeFirst(length + 1)
                return record
            case .tooLong(let count):
                unread.removeFirst(count)
                return .notImported(NotImported(line: nil, title: "", what: "entry", reason: "too-long"))
            case .skip(let count): unread.removeFirst(count)
            case .needsMore:
                guard fill() else { return nil }
            }
        }
    }

    private mutating func fill() -> Bool {
        guard !hasEnded else { return false }
        let count = unread.append(upTo: Self.readBytes) { space in
            while true {
                let count = Glibc.read(descriptor, space.baseAddress, space.count)
                if count >= 0 || errno != EINTR { return max(count, 0) }
            }
        }
        hasEnded = count == 0
        return count > 0
    }

    private mutating func read(_ length: Int) throws(CommandFailure) -> Record {
        do throws(JSONError) {
            return try Self.read(&scanner, unread, length)
        } catch {
            throw CommandFailure(.fault, "autofill-convert has written a record that cannot be read")
        }
    }

    private static func read(
        _ scanner: inout JSONScanner, _ unread: borrowing SecretBuffer, _ length: Int
    ) throws(JSONError) -> Record {
        try unread.withUnsafeBytes { bytes throws(JSONError) in
            let line = UnsafeRawBufferPointer(rebasing: bytes[..<length])
            return try scanner.scan(line) { value throws(JSONError) in try record(value, bytes: length) }
        }
    }

    private static func record(_ value: JSONValue, bytes: Int) throws(JSONError) -> Record {
        let kind = try value.member("record")?.string(maximumBytes: 64)
        switch kind {
        case "autofill-records":
            return .header(source: try value.member("source")?.string(maximumBytes: 64) ?? "")
        case "end": return .end
        case "not-converted": return .notImported(try NotImported(value))
        default:
            let line = (try value.member("line")?.integer(in: 1...Int64(1 << 53 - 1))).map { Int($0) }
            let title = (try value.member("title")?.string()) ?? ""
            var members = MemberReader(value)
            do throws(ProtocolProblem) { return .entry(try ImportedEntry(from: &members), bytes: bytes) } catch {
                // Whatever the daemon would refuse.
                let member = error.member ?? "entry"
                return .notImported(NotImported(line: line, title: title, what: member, reason: "not-accepted"))
            }
        }
    }
}

/// Something of the file that is not imported.
struct NotImported {
    let line: Int?
    let title: String
    /// `entry`, or a component of it.
    let what: String
    let reason: String

    init(line: Int?, title: String, what: String, reason: String) {
        (self.line, self.title, self.what, self.reason) = (line, title, what, reason)
    }

    fileprivate init(_ value: JSONValue) throws(JSONError) {
        self.init(
            line: (try value.member("line")?.integer(in: 1...Int64(1 << 53 - 1))).map { Int($0) },
            title: try value.member("title")?.string() ?? "",
            what: try value.member("what")?.string(maximumBytes: 64) ?? "entry",
            reason: try value.member("reason")?.string(maximumBytes: 64) ?? "")
    }
}

extension NotImported {
    /// What the daemon could not import, or keeps in another place than the file.
    init(_ finding: ImportFinding) {
        self.init(
            line: finding.line, title: finding.title, what: finding.component ?? "entry", reason: finding.outcome)
    }

    /// The reason for users.
    var text: String {
        switch reason {
        case "card": "payment cards are not imported"
        case "identity": "identities are not imported"
        case "ssh-key": "SSH keys are not imported"
        case "wifi": "Wi-Fi passwords are not imported"
        case "attachment": "attachments are not imported"
        case "unsupported-kind" where what != "entry": "\(what): not supported as it is there; it is kept as a field"
        case "unsupported-kind": "entries of this kind are not imported"
        case "reference": "\(what): a reference to another entry; it is kept as its text"
        case "deleted": "it is in the other program's trash"
        case "too-long", "tooLong": "\(what): longer than the vault accepts"
        case "too-many", "tooMany": "\(what): more than a credential can have"
        case "keptAsField" where what == "code": "the code cannot be computed; it is kept as a field"
        case "not-in-format": "\(what): the format has no place for it"
        case "another-secret": "another secret is there; --force replaces it"
        case "unsupported-code": "the code cannot be computed"
        case "unreadable": "it cannot be decrypted"
        case "not-text": "\(what): not text"
        case "unclear": "\(what): not clear from the path; the entry is filled nowhere until you add its site"
        case "keptAsField": "\(what): kept as a field, and not filled"
        case "taken": "\(what): another credential is saved for it"
        case "not-accepted": "\(what): not accepted by the vault"
        default: "\(what): \(reason)"
        }
    }

    /// Whether it is kept all the same.
    var isKept: Bool { ["keptAsField", "reference", "unclear"].contains(reason) }
}

extension Int64? {
    fileprivate func map(_ transform: (Int64) -> Int) -> Int? { flatMap { transform($0) } }
}
