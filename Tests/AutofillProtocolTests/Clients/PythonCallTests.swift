// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

@Suite("The generated calls of the Python client")
struct PythonCallTests {
    private static let head = GeneratedFile.header.map { "# \($0)\n" }.joined()

    @Test("Each file is as the declarations give it (AUTOFILL_UPDATE_DOCS=1 writes them, and fails)")
    func files() throws {
        let all = try PythonCall.all()
        #expect(Set(all.map(\.name)).count == all.count)
        let once = Method.allCases.filter { !$0.declaration.isRepeatable }.map { "\"\($0.rawValue)\"" }
        try write(
            "_declarations",
            """
            \"\"\"What the protocol declares of its methods.\"\"\"

            #: Methods whose requests must not be sent again when the answer was lost.
            ONCE = frozenset({
            \(once.joined(separator: ", ").wrapped("    ")),
            })
            """)
        try write(
            "calls",
            """
            \"\"\"The requests of the protocol, a function each.\"\"\"

            from __future__ import annotations

            from typing import Any, Mapping, Optional, Sequence

            from . import values
            from ._call import (
                Call, Form, Page, Service, _answer, _data, _form, _interaction, _object, _page, _service, hello, plain)
            from ._wire import Answer

            __all__ = [
            \((["Call", "Form", "Page", "Service", "hello", "plain"] + all.map(\.name)).map { "\"\($0)\"" }
                .joined(separator: ", ").wrapped("    ")),
            ]


            \(all.map(\.call).joined(separator: "\n\n\n"))
            """)
        try write("_client_calls", Self.methods("ClientCalls", "Client", all, isAsync: false))
        try write("_aio_calls", Self.methods("AsyncClientCalls", "AsyncClient", all, isAsync: true))
    }

    private static func methods(_ name: String, _ client: String, _ calls: [PythonCall], isAsync: Bool) -> String {
        let prefix = isAsync ? "async " : ""
        return """
            \"\"\"The calls of \(client).\"\"\"

            from __future__ import annotations

            from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, TypeVar

            from . import calls, values
            from ._call import Call, Form, Page, Service
            from ._wire import Answer

            T = TypeVar("T")


            class \(name):
                \"\"\"A method for each request of the protocol that is for apps.\"\"\"

                \(prefix)def perform(self, call: Call[T]) -> T:
                    raise NotImplementedError

                \(prefix)def _pages(self, call: Callable[[Optional[str]], Call[Page[T]]]) -> Tuple[T, ...]:
                    raise NotImplementedError

            \(calls.map { $0.method(isAsync: isAsync) }.joined(separator: "\n\n").indented())
            """
    }

    private func write(_ name: String, _ text: String) throws {
        try GeneratedFile(
            path: "Sources/PythonClient/autofill_client/\(name).py", text: Self.head + text + "\n"
        ).check()
    }
}
