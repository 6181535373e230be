// SPDX-License-Identifier: Apache-2.0

/// A value of the wire that declares its fields once; reader, writer, schema and tables come from that.
package protocol Message: WireValue {
    /// Visits each field in the order of the wire, and makes the value of what the visits give back.
    ///
    /// The visitor reads the fields, or writes those of a value that is there, or notes what they are. A field's name, its
    /// getter and its place in the initialiser stand in one line; `MessageTests` holds each declaration to all three.
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
                // A rule that the value breaks is the receiver's to refuse; all fields are written by then.
                do throws(ProtocolProblem) { _ = try Self.fields(&visitor) } catch {}
            }
        }
    }

    /// Its members and rules; of one kind of it, where it has several.
    package static func schema(of word: String? = nil) -> ObjectSchema {
        var notes = FieldNotes<Self>()
        notes.word = word
        // What a message finds out itself, it finds out after its last field.
        do throws(ProtocolProblem) { _ = try fields(&notes) } catch {}
        return ObjectSchema(name: "\(Self.self)", members: notes.members, rules: notes.rules)
    }
}
