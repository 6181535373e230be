// SPDX-License-Identifier: Apache-2.0
import Credentials
import Testing

@Suite("Credentials")
struct CredentialsTests {
    @Test("An object's name is read back as it was written", arguments: ObjectID.Kind.allCases)
    func roundTrip(kind: ObjectID.Kind) {
        let id = ObjectID(kind: kind, high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        #expect(id.description == "\(kind.prefix)_0123456789abcdeffedcba9876543210")
        #expect(ObjectID(id.description) == id)
    }

    @Test(
        "Anything else is no object's name",
        arguments: [
            "", "crd_", "crd_0123456789ABCDEFfedcba9876543210", "xyz_0123456789abcdeffedcba9876543210",
            "crd_0123456789abcdeffedcba987654321", "crd_0123456789abcdeffedcba98765432100",
            "crd-0123456789abcdeffedcba9876543210", "crd_0123456789abcdeffedcba987654321g",
        ])
    func refused(text: String) {
        #expect(ObjectID(text) == nil)
    }

    @Test(
        "An instant is written as RFC 3339 has it, before 1970, in leap years and at any distance",
        arguments: [
            (Int.min, "0000-01-01T00:00:00.000Z"), (Int.max, "9999-12-31T23:59:59.999Z"),
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (1_795_253_400_123, "2026-11-21T09:30:00.123Z"), (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ])
    func timestamps(milliseconds: Int, text: String) {
        #expect(Timestamp(milliseconds: Int64(milliseconds)).description == text)
    }
}
