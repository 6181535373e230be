// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What the daemon keeps in memory for a time, under an id: a code that came in, a form that was sent.
package struct KeptObject {
    package let id: String
    package let expires: Timestamp
}
