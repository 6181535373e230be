// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

extension ConfigurationValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: ConfigurationValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, ConfigurationValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
