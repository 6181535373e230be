// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
    package mutating func object(_ value: some WireValue) {
        object { writer in value.write(to: &writer) }
    }

    package mutating func member(_ name: StaticString, _ value: some WireValue) {
        key(name)
        object(value)
    }

    package mutating func member(_ name: StaticString, _ values: [some WireValue]) {
        key(name)
        array { writer in
            for value in values { writer.object(value) }
        }
    }

    package mutating func member(_ name: StaticString, _ values: [String]) {
        key(name)
        array { writer in
            for value in values { writer.string(value) }
        }
    }

    package mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

    package mutating func member(_ name: StaticString, orNull value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, orNull value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }
}
