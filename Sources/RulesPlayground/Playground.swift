// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PasswordRules
internal import SecretMemory
package import SiteKnowledge

/// Computes what the page shows. It has no state, and opens nothing.
package struct Playground {
    private let sites: SiteRulesIndex
    private let makeEntropy: () -> any RandomNumberGenerator

    /// - Parameters:
    ///   - sites: what was imported about sites.
    ///   - entropy: what passwords are drawn from; by default the kernel's random numbers.
    package init(_ sites: PublicSiteData, entropy: (() -> any RandomNumberGenerator)? = nil) {
        self.sites = SiteRulesIndex(sites)
        makeEntropy = entropy ?? { SystemEntropy() }
    }

    func answer(_ figure: PlaygroundFigure, _ body: UnsafeRawBufferPointer) throws(HTTPStatus) -> HTTPResponse {
        let request = try RulesRequest.read(body)
        switch figure {
        case .rules: return json { write(RulesReport(request), to: &$0) }
        case .passwords: return try passwords(request)
        case .check: return json { write(checked: request, to: &$0) }
        case .sites: return json { sites.write(matching: request.search, to: &$0) }
        case .token: throw .notFound
        }
    }

    private func json(_ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        writer.object(write)
        return .json(writer.withUnsafeBytes { Array($0) })
    }

    private func write(_ report: RulesReport, to writer: inout JSONWriter) {
        var entropy = makeEntropy()
        report.write(to: &writer, using: &entropy)
        guard let parsed = report.parsed else { return }
        sites.write(sharing: parsed.rules, to: &writer)
    }

    /// One password a line.
    private func passwords(_ request: RulesRequest) throws(HTTPStatus) -> HTTPResponse {
        do throws(PasswordRulesRefusal) {
            let generator = try request.generator(try PasswordRules.parse(request.rules).rules)
            var entropy = makeEntropy()
            var lines: [UInt8] = []
            for _ in 0..<PlaygroundLimits.drawn { lines += Array(generator.draw(using: &entropy).utf8) + [0x0A] }
            return .text(lines)
        } catch {
            throw .badRequest
        }
    }

    /// `{"violations": […], "length": 12}`, or a refusal.
    private func write(checked request: RulesRequest, to writer: inout JSONWriter) {
        do throws(PasswordRulesRefusal) {
            let rules = try request.bounded(try PasswordRules.parse(request.rules).rules)
            let (violations, length) =
                request.password.map { password in
                    password.withUnsafeBytes { bytes in
                        (rules.violations(in: bytes), bytes.count { $0 & 0xC0 != 0x80 })
                    }
                } ?? ([], 0)
            writer.member("length", length)
            RulesJSON.write(violations, to: &writer)
        } catch {
            RulesJSON.write(error, to: &writer)
        }
    }
}
