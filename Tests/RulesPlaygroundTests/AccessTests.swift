// SPDX-License-Identifier: Apache-2.0
import Foundation
import RulesPlayground
import TestGround
import Testing

@Suite("Who the playground answers", .blocking, .timeLimit(.minutes(5)))
struct AccessTests {
    @Test("The page's own request, with the token, is answered")
    func own() throws {
        let server = try TestServer()
        let answer = try server.post("/rules", ["rules": "minlength: 8"])
        #expect(answer.status == 200 && answer.object["canonical"] as? String == "minlength: 8;")
    }

    @Test(
        "Another Host is refused, as after DNS rebinding, also with the token",
        arguments: [
            nil, "localhost", "evil.example", "evil.example:PORT", "localhost:PORT", "127.0.0.1", "[::1]:PORT", "",
        ])
    func host(_ host: String?) throws {
        let server = try TestServer()
        let value = host?.replacing("PORT", with: String(server.port))
        let page = try server.exchange(server.request("/", "", method: "GET", replacing: ["Host": value]))
        let figures = try server.exchange(server.request("/rules", replacing: ["Host": value]))
        #expect(page.status == 421 && figures.status == 421)
    }

    @Test(
        "Another Origin is refused, and so is a request for figures without one",
        arguments: [
            nil, "null", "https://evil.example", "http://localhost:PORT", "https://127.0.0.1:PORT", "http://127.0.0.1",
        ])
    func origin(_ origin: String?) throws {
        let server = try TestServer()
        let value = origin?.replacing("PORT", with: String(server.port))
        #expect(try server.exchange(server.request("/rules", replacing: ["Origin": value])).status == 403)
        #expect(try server.exchange(server.request("/token", replacing: ["Origin": value])).status == 403)
        guard origin != nil else { return }
        #expect(
            try server.exchange(server.request("/", "", method: "GET", replacing: ["Origin": value])).status == 403)
    }

    @Test("What a page of another site embeds or opens is refused by its fetch metadata")
    func metadata() throws {
        let server = try TestServer()
        let statuses = ["cross-site": 403, "same-site": 403, "x": 403, "none": 200, "same-origin": 200]
        for (value, status) in statuses {
            let fields: [String: String?] = ["Sec-Fetch-Site": value, "Origin": nil]
            let page = try server.exchange(server.request("/", "", method: "GET", replacing: fields))
            #expect(page.status == status, "\(value)")
        }
    }

    @Test("Without the token, with a wrong one, or with one in the address, no figure is answered")
    func token() throws {
        let server = try TestServer()
        let wrong = String(server.token.reversed())
        let values = [
            nil, "", server.token, "Bearer", "Bearer ", "Bearer \(wrong)", "Bearer \(server.token)0",
            "Basic \(server.token)",
        ]
        for value in values {
            for path in ["/rules", "/passwords", "/check", "/sites", "/token"] {
                let answer = try server.exchange(server.request(path, replacing: ["Authorization": value]))
                #expect(answer.status == 401 && !answer.body.contains(server.token), "\(path)")
            }
        }
        for path in ["/rules?token=\(server.token)", "/\(server.token)", "/rules#\(server.token)"] {
            let answer = try server.exchange(server.request(path, replacing: ["Authorization": nil]))
            #expect(answer.status == 404)
        }
    }

    @Test("The code of a launch is good for one exchange against the token, and for nothing else")
    func launch() throws {
        let server = try TestServer()
        let code = TestServer.fragment(server.launchAddress)
        #expect(code != server.token)
        let fields: [String: String?] = ["Authorization": "Bearer \(code)"]
        #expect(try server.exchange(server.request("/rules", replacing: fields)).status == 401)
        let first = try server.exchange(server.request("/token", replacing: fields))
        #expect(first.object["token"] as? String == server.token)
        #expect(try server.exchange(server.request("/token", replacing: fields)).status == 401)
        // The page that the printed address opens does the same exchange.
        #expect(try server.post("/token").object["token"] as? String == server.token)
    }

    @Test("Each server has a token of its own, of 256 bits")
    func tokens() throws {
        let tokens = try (0..<4).map { _ in try TestServer().token }
        #expect(Set(tokens).count == 4 && tokens.allSatisfy { $0.wholeMatch(of: #/[0-9a-f]{64}/#) != nil })
    }

    @Test("The page needs no token and has none; its scripts and styles run by the nonce of the policy alone")
    func page() throws {
        let server = try TestServer()
        func load() throws -> TestConnection.Answer {
            let fields: [String: String?] = ["Authorization": nil, "Origin": nil]
            return try server.exchange(server.request("/", "", method: "GET", replacing: fields))
        }
        let (page, again) = (try load(), try load())
        #expect(page.status == 200 && page.head.contains("Content-Type: text/html"))
        #expect(!(page.head + page.body).contains(server.token))
        let nonce = try #require(page.head.firstMatch(of: #/script-src 'nonce-([a-z0-9]+)'/#)?.1)
        #expect(!again.head.contains(nonce))
        #expect(page.body.matches(of: #/<(script|style)/#).count == 2)
        #expect(page.body.matches(of: #/<(script|style) nonce="([a-z0-9]+)">/#).allSatisfy { $0.2 == nonce })
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"] {
            #expect(page.head.contains(part))
        }
        for line in ["Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff"] {
            #expect(page.head.contains(line) && page.head.contains("Cross-Origin-Resource-Policy: same-origin"))
        }
        // Nothing is loaded from elsewhere.
        #expect(page.body.matches(of: #/(?:src|href)="(?!#|data:)/#).isEmpty)
        #expect(page.body.matches(of: #/ (?:style|on\w+)="/#).isEmpty)
    }

    @Test("Other paths and methods are refused")
    func others() throws {
        let server = try TestServer()
        for path in ["/favicon.ico", "/index.html", "//", "/rules/", "/../etc/passwd", "/%2e%2e/", "*"] {
            #expect(try server.exchange(server.request(path)).status == 404, "\(path)")
        }
        #expect(try server.exchange(server.request("/rules", "", method: "GET")).status == 405)
        #expect(try server.exchange(server.request("/")).status == 405)
        for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT", "get"] {
            #expect(try server.exchange(server.request("/", "", method: method)).status == 405, "\(method)")
        }
    }
}
