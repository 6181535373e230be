// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Testing

@Suite("The head of a response")
struct ResponseHeadTests {
    private func head(_ lines: [String]) throws(FetchFailure) -> ResponseHead {
        var head = ResponseHead()
        for line in ["HTTP/1.1 200 OK"] + lines + [""] { try head.receive(Array("\(line)\r\n".utf8)) }
        return head
    }

    @Test(
        "The first max-age that is a number counts, within an hour and seven days",
        arguments: [
            (["Cache-Control: max-age=7200"], 7200), (["cache-control:public,MAX-AGE=7200 , immutable"], 7200),
            (["Cache-Control: public", "Cache-Control: max-age=7200"], 7200), (["Cache-Control: max-age=0"], 3600),
            (["Cache-Control: max-age=99999999"], 604_800), (["Cache-Control: no-store"], 86_400),
            (["Cache-Control: max-age=99999999999999999999, max-age=7200"], 7200), ([], 86_400),
            (["Cache-Control: s-maxage=7200"], 86_400), (["X-Cache-Control: max-age=7200"], 86_400),
        ])
    func ages(lines: [String], seconds: Int) throws {
        let head = try head(lines)
        #expect(head.status == 200)
        #expect(head.seconds == seconds)
    }

    @Test(
        "A body whose end is stated twice, or in no supported way, is refused",
        arguments: [
            ["Content-Length: 2", "Content-Length: 2"], ["Content-Length: 2, 2"], ["Content-Length: -1"],
            ["Content-Length:"], ["Content-Length: 0x2"], ["Content-Length: 2", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", "Content-Length: 2"], ["Transfer-Encoding: gzip"],
            ["Transfer-Encoding: chunked, chunked"], ["Transfer-Encoding: chunked", "transfer-encoding: chunked"],
        ])
    func framing(lines: [String]) {
        #expect { try head(lines) } throws: { ($0 as? FetchFailure)?.kind == .httpInvalid }
    }

    @Test("A length over the limit is refused before the body, and the limit itself is not")
    func length() throws {
        #expect(try head(["Content-Length: \(Limits.associationBytes)"]).status == 200)
        for length in ["\(Limits.associationBytes + 1)", "99999999999999999999999"] {
            #expect { try head(["Content-Length: \(length)"]) } throws: {
                let failure = $0 as? FetchFailure
                return failure?.kind == .tooLarge && failure?.status == 200
            }
        }
    }

    @Test(
        "Another status than 200 is refused with it",
        arguments: [
            (201, AssociationFailure.status), (204, .status), (206, .status), (301, .redirected), (304, .redirected),
            (404, .status), (500, .status), (999, .status),
        ])
    func statuses(status: Int, kind: AssociationFailure) {
        var head = ResponseHead()
        #expect {
            try head.receive(Array("HTTP/1.1 \(status) X\r\n".utf8))
            try head.receive(Array("\r\n".utf8))
        } throws: {
            let failure = $0 as? FetchFailure
            return failure?.kind == kind && failure?.status == status
        }
        #expect(head.status == nil)
    }

    @Test("Lines before the final head, or after it, have no effect")
    func otherHeads() throws {
        var head = ResponseHead()
        let early = ["HTTP/1.1 103 Early Hints", "Content-Length: 9", "Cache-Control: max-age=5000", ""]
        for line in early + [
            "HTTP/1.1 200 OK", "Content-Length: 2", "", "Content-Length: 3", "Cache-Control: max-age=9999",
        ] {
            try head.receive(Array("\(line)\r\n".utf8))
        }
        #expect(head.status == 200)
        #expect(head.seconds == 86_400)
    }

    @Test("All lines together have a limit, early hints among them")
    func flood() {
        var head = ResponseHead()
        var lines = 0
        #expect {
            while lines < 10_000 {
                for line in ["HTTP/1.1 103 Early Hints", ""] { try head.receive(Array("\(line)\r\n".utf8)) }
                lines += 2
            }
        } throws: { ($0 as? FetchFailure)?.kind == .httpInvalid }
        #expect(lines < Limits.associationHeadBytes)
    }
}
