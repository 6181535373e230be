// SPDX-License-Identifier: Apache-2.0

extension Registration {
    /// The members of the file. `$schema` is for editors and has no meaning here.
    package enum Member: String, CaseIterable, Sendable {
        case schema = "$schema"
        case bundleID, name, executables, entitlements, forms
    }

    /// A registration, and what is worth knowing about its file though nothing is wrong.
    package struct Checked: Hashable, Sendable {
        package let registration: Registration
        package let notes: [ConfigurationMistake]
    }

    /// Reads a registration strictly. All mistakes are reported at once.
    ///
    /// - Parameters:
    ///   - stem: the file's name without `.json`, which must be the bundle ID; nil where the file may have any name
    ///     (one that is not installed yet).
    ///   - suffixes: domains that are refused; nil where no list is available.
    package static func decode(
        _ value: ConfigurationValue, origin: Origin, stem: String?, refusing suffixes: PublicSuffixList?
    ) throws(ConfigurationMistakes) -> Checked {
        var findings = ConfigurationFindings()
        let registration = read(value, origin: origin, stem: stem, refusing: suffixes, &findings)
        return Checked(registration: try findings.accept(registration), notes: findings.notes)
    }

    /// nil only where a mistake was found.
    private static func read(
        _ value: ConfigurationValue, origin: Origin, stem: String?, refusing suffixes: PublicSuffixList?,
        _ findings: inout ConfigurationFindings
    ) -> Registration? {
        let names = Member.allCases.map(\.rawValue)
        guard let object = ConfigurationObject(value, knowing: names, &findings) else { return nil }
        _ = object[Member.schema.rawValue]?.string(at: object.path[Member.schema.rawValue], &findings)
        let bundleID = object.required("bundleID", &findings)?
            .checked(at: object.path["bundleID"], &findings) { text throws(BundleIdentifierError) in
                try BundleIdentifier(text)
            }
        let name = object.required("name", &findings)?
            .checked(at: object.path["name"], &findings, AppName.init)
        let executables = object["executables"].map { $0.executables(at: object.path["executables"], &findings) }
        let entitlements = object["entitlements"].map {
            AppEntitlements(
                $0, at: object.path["entitlements"], refusing: suffixes,
                onlyGroup: origin.owner == .root ? nil : bundleID, &findings)
        }
        let forms = object["forms"].map { DeclaredForm.read($0, at: object.path["forms"], &findings) }
        guard let bundleID, let name else { return nil }
        if let stem, stem != bundleID.text {
            findings.refuse(
                object.path["bundleID"], "The bundle ID is \(bundleID), the file is named \(stem.quoted).",
                fix: "Name the file \(bundleID).json.")
        }
        return Registration(
            bundleID: bundleID, name: name, executables: executables ?? [],
            entitlements: entitlements ?? AppEntitlements(), forms: forms ?? [], origin: origin)
    }
}
