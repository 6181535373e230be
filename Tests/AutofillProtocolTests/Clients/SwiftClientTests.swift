// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("The generated types of the Swift client")
struct SwiftClientTests {
    private static let folder = "Sources/AutofillClient/Generated"

    @Test(
        "Each file is as the declarations give it, and there is no other (AUTOFILL_UPDATE_DOCS=1 writes them, and fails)"
    )
    func files() throws {
        for vocabulary in SwiftVocabulary.all { vocabulary.check() }
        let types = try SwiftType.all()
        let isGenerated = Set(types.map(\.name))
        var sources: [String: (text: [String], imports: Set<String>)] = [:]
        func add(_ name: String, _ source: String, _ imports: Set<String>) {
            let names = name.split(separator: ".").map(String.init)
            let text = names.count > 1 ? "extension \(names[0]) {\n\(source.indented())\n}" : source
            // A type that is written by hand has a file of its name already.
            let file = isGenerated.contains(names[0]) ? names[0] : names.joined(separator: "+")
            sources[file, default: ([], [])].text.append(text)
            sources[file]?.imports.formUnion(imports)
        }
        for type in types {
            let imports =
                try ["import AutofillProtocol"] + (type.usesDate() ? ["public import FoundationEssentials"] : [])
            add(type.name, try type.source(), Set(imports))
        }
        for vocabulary in SwiftVocabulary.all { add(vocabulary.name, vocabulary.source, []) }
        add("AutofillReason", ReasonCodes.source, ["import Reasons"])
        for (name, source) in sources {
            let imports = source.imports.sorted {
                $0.replacing("public ", with: "") < $1.replacing("public ", with: "")
            }
            let head = (GeneratedFile.header.map { "// \($0)" } + imports).joined(separator: "\n")
            let text = ([head] + source.text).joined(separator: "\n\n") + "\n"
            try GeneratedFile(path: "\(Self.folder)/\(name).swift", text: text).check()
        }
        #expect(try GeneratedFile.names(in: Self.folder) == sources.keys.map { $0 + ".swift" }.sorted())
    }
}
