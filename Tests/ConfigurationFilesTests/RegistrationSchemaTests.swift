// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@testable import ConfigurationFiles

@Suite("The shipped JSON schema")
struct RegistrationSchemaTests {
    private let schema: ConfigurationValue

    init() throws {
        let sources = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(sources)/Sources/AssociatedDomains/registration.schema.json"
        schema = try ConfigurationValue(json: ConfigurationFile(at: path).bytes, file: path)
    }

    private func value(_ path: String...) throws -> ConfigurationValue {
        try path.reduce(schema) { value, name in
            guard let member = try members(of: value).first(where: { $0.name == name }) else {
                throw Missing(name: name)
            }
            return member.value
        }
    }

    private func members(of value: ConfigurationValue) throws -> [ConfigurationValue.Member] {
        guard case .object(let members) = value else { throw Missing(name: "an object") }
        return members
    }

    private struct Missing: Error { let name: String }

    @Test("It knows the members that the code knows")
    func members() throws {
        let members = try members(of: value("properties")).map(\.name)
        #expect(Set(members) == Set(Registration.Member.allCases.map(\.rawValue)))
        let keys = try self.members(of: value("properties", "entitlements", "properties")).map(\.name)
        #expect(Set(keys) == Set(AppEntitlements.Key.allCases.map(\.rawValue)))
        #expect(try value("additionalProperties") == .bool(false))
    }

    @Test("It has the limits that the code has")
    func limits() throws {
        #expect(try value("properties", "name", "maxLength") == .integer(AppName.limit))
        #expect(try value("properties", "executables", "maxItems") == .integer(Registration.executableLimit))
        #expect(try value("properties", "executables", "items", "maxLength") == .integer(AbsolutePath.limit))
        #expect(try value("$defs", "bundleID", "maxLength") == .integer(BundleIdentifier.limit))
        for key in [AppEntitlements.Key.associatedDomains, .keychainAccessGroups] {
            let limit = try value("properties", "entitlements", "properties", key.rawValue, "maxItems")
            #expect(limit == .integer(AppEntitlements.limit))
        }
    }

    @Test("Its examples are registrations")
    func examples() throws {
        guard case .array(let examples) = try value("examples") else { throw Missing(name: "examples") }
        #expect(!examples.isEmpty)
        for example in examples {
            let origin = Registration.Origin(file: "example", owner: .root)
            #expect(try Registration.decode(example, origin: origin, stem: nil, refusing: nil).notes.isEmpty)
        }
    }
}
