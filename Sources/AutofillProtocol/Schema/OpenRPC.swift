// SPDX-License-Identifier: Apache-2.0

/// The protocol as an OpenRPC document (1.3, with JSON Schema): for tools, and for clients that are made by tools. protocol.md
/// says what things mean.
package enum OpenRPC {
    /// The parameters of all methods.
    package static let calls: [any MethodCall.Type] = [
        Hello.self, Status.self, Diagnose.self, RequestCancel.self, AutofillSuggest.self, AutofillFocus.self,
        AutofillFill.self,
        AutofillAccept.self, AutofillDecline.self, AutofillSubmitted.self, OfferList.self, CredentialSave.self,
        CredentialGet.self, CredentialList.self,
        CredentialDelete.self, CredentialRestore.self, CodeSet.self, CodeGet.self, CodeDelete.self, CodeExport.self,
        CodeOffer.self,
        KeychainSet.self, KeychainGet.self, KeychainRename.self, KeychainDelete.self, KeychainList.self,
        VerifierSet.self, VerifierCheck.self, VerifierDelete.self, VerifierExport.self, VerifierImport.self,
        SignInStart.self, SignInEnd.self, SignInStatus.self, VaultCreate.self, VaultUnlock.self, VaultLock.self,
        VaultCheck.self, VaultBackup.self, VaultRestore.self,
        VaultRekey.self, BackupList.self, SlotList.self, SlotAdd.self, SlotChange.self, SlotRemove.self,
        GrantAllow.self, GrantDeny.self, GrantList.self, GrantRevoke.self, DomainList.self, DomainGet.self,
        DomainRefresh.self,
        DomainApprove.self, DomainDeny.self, SettingList.self, SettingGet.self, SettingSet.self,
        EventSubscribe.self, ReleaseList.self,
    ]

    /// One method.
    package struct Description {
        package let method: Method
        package let parameters: MessageSchema
        package let result: MessageSchema

        init<Call: MethodCall>(_ call: Call.Type) {
            method = Call.method
            parameters = MessageSchema(of: call)
            result = MessageSchema(of: Call.Answer.self)
        }
    }

    package static var methods: [Description] { calls.map { describe($0) } }

    private static func describe<Call: MethodCall>(_ call: Call.Type) -> Description { Description(call) }

    /// The document, one line of JSON.
    package static var document: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("openrpc", "1.3.2")
            writer.key("info")
            writer.object { writer in
                writer.member("title", "autofilld")
                writer.member("version", ProductVersion.text)
                writer.member("description", "JSON-RPC 2.0 over a Unix socket, one document a line; see protocol.md")
            }
            writer.key("methods")
            writer.array { writer in
                for method in methods { write(method, to: &writer) }
            }
            writer.key("components")
            writer.object { writer in
                writer.key("schemas")
                writer.object { writer in writeVariants(to: &writer) }
            }
        }
        return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func write(_ description: Description, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", description.method.rawValue)
            writer.member("paramStructure", "by-name")
            writer.key("params")
            writer.array { writer in
                for member in description.parameters.members {
                    writer.object { writer in
                        writer.member("name", member.name)
                        writer.member("required", member.isRequired)
                        writer.key("schema")
                        MessageSchema.write(member, to: &writer)
                    }
                }
            }
            writer.key("result")
            writer.object { writer in
                writer.member("name", "result")
                writer.key("schema")
                description.result.write(to: &writer)
            }
        }
    }

    /// What `autofill.suggest` suggests and `event` tells, by their `type`.
    private static func writeVariants(to writer: inout JSONWriter) {
        for (name, schema) in [
            ("suggestion.strongPassword", MessageSchema(of: StrongPasswordSuggestion.self)),
            ("suggestion.savedCredentials", MessageSchema(of: SavedCredentialsSuggestion.self)),
            ("suggestion.oneTimeCode", MessageSchema(of: OneTimeCodeSuggestion.self)),
        ] {
            writer.key(string: name)
            schema.write(to: &writer)
        }
        for kind in EventNotice.Kind.allCases {
            writer.key(string: "event.\(kind.rawValue)")
            MessageSchema(of: EventNotice.self, given: [("type", "\"\(kind.rawValue)\"")]).write(to: &writer)
        }
    }
}
