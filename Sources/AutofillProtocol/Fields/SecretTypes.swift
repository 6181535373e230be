// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A secret with limits in bytes, read into locked memory and written from there.
package struct SecretType: ScalarType {
    let bytes: ClosedRange<Int>

    package var schema: ValueSchema { .string(bytes: bytes) }
    package var sample: SecretBytes { SecretBytes(utf8: "") }

    package func read(_ value: JSONValue) throws(JSONError) -> SecretBytes {
        let secret = try value.secret(maximumBytes: bytes.upperBound)
        guard secret.count >= bytes.lowerBound else { throw value.error(.notAllowed) }
        return secret
    }

    package func write(_ value: SecretBytes, to writer: inout JSONWriter) { writer.secret(value) }
}

/// `{"base64": …}` with limits in bytes, in locked memory.
package struct DataType: ScalarType {
    let bytes: ClosedRange<Int>

    package var schema: ValueSchema { .data(bytes: bytes) }
    package var sample: SecretBytes { SecretBytes(utf8: "") }

    package func read(_ value: JSONValue) throws(JSONError) -> SecretBytes {
        let data = try value.base64(maximumBytes: bytes.upperBound)
        guard bytes.contains(data.count) else { throw value.error(.notAllowed) }
        return data
    }

    package func write(_ value: SecretBytes, to writer: inout JSONWriter) { writer.base64(value) }

    /// Its unknown members are unknown parameters, as those of every other object.
    package func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> SecretBytes {
        guard let data: SecretBytes = try? read(value) else { throw members.invalid(name, schema.expected) }
        var nested = MemberReader(value, in: members, name)
        _ = nested.find("base64")
        members.adopt(nested)
        return data
    }
}
