// SPDX-License-Identifier: Apache-2.0

/// A value of the wire that declares its fields once. Reader, writer, schema and tables are derived from the declaration.
package protocol Message: WireValue {
    /// Visits each field in the order of the wire, and makes the value from what the visits return.
    ///
    /// The visitor reads the fields, or writes those of an existing value, or collects their schema. A field's name, its getter
    /// and its position in the initialiser are in one line; `MessageTests` checks that they agree.
    static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self
}

extension Message {
    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        var reader = FieldReader<Self>(members: members)
        do throws(ProtocolProblem) {
            self = try Self.fields(&reader)
        } catch {
            members = reader.members
            throw error
        }
        members = reader.members
    }

    package func write(to writer: inout JSONWriter) {
        withUnsafePointer(to: self) { root in
            withUnsafeMutablePointer(to: &writer) { writer in
                var visitor = FieldWriter(root: root, writer: writer)
                // The receiver refuses a value that violates a rule; all fields are written by then.
                do throws(ProtocolProblem) { _ = try Self.fields(&visitor) } catch {}
            }
        }
    }

    /// Its members and rules; of one kind of it, where it has several.
    package static func schema(of kind: String? = nil) -> ObjectSchema {
        var notes = FieldNotes<Self>()
        notes.constant = kind
        // A message makes its own checks after its last field.
        do throws(ProtocolProblem) { _ = try fields(&notes) } catch {}
        return ObjectSchema(name: "\(Self.self)", members: notes.members, rules: notes.rules)
    }
}
