// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// How a property of the Swift client is made from one of an object of the wire.
struct Conversion {
    /// Without the question mark of an optional one.
    let type: String
    private let initialiser: String?
    private let isArray: Bool
    private let isChoice: Bool
    private let isThrowing: Bool

    /// - Parameters:
    ///   - schema: the member's.
    ///   - found: the property's type in AutofillProtocol.
    ///   - isDate: whether its text is an instant.
    ///   - parent: the type that the property belongs to.
    init(_ schema: ValueSchema, _ found: String, _ isDate: Bool, in parent: String) {
        let inner = found.replacing(#/^Optional<(.+)>$/#) { $0.1 }
        let element = inner.replacing(#/^Array<(.+)>$/#) { $0.1 }
        isArray = element != inner
        isChoice = if case .choice = schema { element != "String" } else { false }
        let vocabulary = Self.words(schema).flatMap { words in SwiftVocabulary.all.first { $0.words == words }?.name }
        var (name, initialiser, isThrowing) = (String(element), String?.none, isDate)
        if isDate {
            (name, initialiser) = ("Date", "wire:")
        } else if Self.words(schema) == Words.vaultStates {
            (name, initialiser) = ("VaultState", "")
        } else if Self.words(schema) == Words.reasons {
            (name, initialiser) = ("AutofillReason.Code", "rawValue:")
        } else if let vocabulary {
            (name, initialiser) = (vocabulary, "rawValue:")
        } else if let object = Self.objects[name] {
            (name, initialiser) = (object.name, "")
            isThrowing = object.isThrowing
        } else {
            name = name.replacing(#/Dictionary<(\w+), (\w+)>/#) { "[\($0.1): \($0.2)]" }
        }
        let local = parent.split(separator: ".").first.map { $0 + "." } ?? ""
        if name.hasPrefix(local) { name.removeFirst(local.count) }
        type = isArray ? "[\(name)]" : name
        (self.initialiser, self.isThrowing) = (initialiser, isThrowing)
    }

    private static func words(_ schema: ValueSchema) -> [String]? {
        switch schema {
        case .word(let words, _), .choice(let words, _): words
        case .array(let element, _): words(element)
        default: nil
        }
    }

    func value(of source: String, isOptional: Bool) -> String {
        guard let initialiser else { return source }
        let name = isArray ? String(type.dropFirst().dropLast()) : type
        let attempt = isThrowing ? "try " : ""
        guard isArray || isOptional else {
            return
                "\(attempt)\(name)(\(initialiser.isEmpty ? "" : initialiser + " ")\(source)\(isChoice ? ".rawValue" : ""))"
        }
        if name == "Date" { return "try date(\(source))" }
        return "\(attempt)\(source).map(\(name).init\(initialiser.isEmpty ? "" : "(\(initialiser))"))"
    }

    /// The types of the Swift client that are made from an object of the wire.
    private static let objects: [String: (name: String, isThrowing: Bool)] = [
        "AppSettings": ("AutofillSettings", false),
        "AssociationFileReport": ("AssociatedDomainState.SiteFile", false),
        "ConditionReport": ("AutofillDiagnosis.Condition", false),
        "CredentialSummary": ("SavedCredential", true),
        "ReasonReport": ("AutofillReason", false),
        "SavedService": ("CredentialService", false),
        "ServiceIdentifier": ("CredentialServiceIdentifier", false),
        "SettingValue": ("AutofillSetting.Value", false),
        "SuggestedCode": ("SuggestedOneTimeCode", true),
        "DaemonState": ("AutofillStatus.Daemon", false),
        "VaultWork": ("AutofillStatus.VaultWork", false),
        "VerifiedApp": ("Greeting.VerifiedIdentity", false),
    ]
}
