// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Testing

@testable import AutofillService

@Suite("The requests that wait")
struct WaitingRoomTests {
    private let client = ClientID(number: 1)

    private func request(_ id: Int) throws -> WaitingRoom.Parked {
        WaitingRoom.Parked(
            client: client, id: .number(Int64(id)), method: .domainRefresh, deadline: Timestamp(milliseconds: 0),
            allowed: []
        ) { _ in nil }
    }

    @Test("What the outside has begun is not begun again beside itself, however often requests for it are taken back")
    func onceAtATime() throws {
        var room = WaitingRoom()
        let errand = Errand.vaultWork
        for id in 0..<100 {
            room.park(try request(id), on: errand)
            room.leave { $0.client == client }
        }
        #expect(room.takeOrders().count == 1)
        #expect(room.leave(errand).isEmpty)
        room.park(try request(0), on: errand)
        #expect(room.takeOrders().count == 1)
    }

    @Test("A prompt that nobody waits for any more is taken away, and shown anew to who comes later")
    func prompts() throws {
        var room = WaitingRoom()
        for id in 0..<3 {
            room.park(try request(id), on: .unlock)
            room.leave { $0.client == client }
        }
        #expect(room.takeOrders().count == 6)
    }
}
