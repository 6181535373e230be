// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// German.
    static let german = LanguageWords([
        .password: "*kennwort*, losungswort, *passwort*, zugangscode",
        .pin: "geheimzahl",
        .oneTimeCode: """
        *anmeldecode*, *bestätigungscode*, *einmalcode*, *einmalkennwort*, *einmalpasswort*, *einmalpin*, \
        *einmalschlüssel*, mtan, *prüfcode*, *sicherheitscode*, sms code, tan, *verifizierungscode*
        """,
        .email: "e post, *emailadresse*, *mailadresse*",
        .phone: "handy*, mobilfunknummer, mobilnr, *mobilnummer*, rufnummer, telefonnr",
        .search: "*suchbegriff*, suche, suchen, suchfeld, suchtext, suchwort",
        .captcha: "buchstaben eingeben, *sicherheitsabfrage*, *spamschutz*, zeichen eingeben",
        .trap: "frei lassen, *leerlassen*, nicht ausfüllen",
        .username: """
        *anmeldename*, *benutzer*, benutzer id, benutzerkennung, *benutzername*, kennung, nutzerkennung, \
        *nutzername*, zugangsnummer
        """,
        .alias: """
        kunden nr, *kundennummer*, matrikelnummer, *mitgliedsnr*, mitgliedsnummer, *spitzname*, teilnehmernummer, \
        versichertennummer, vertragsnummer
        """,
        .account: "mitglied, nummer",
        .code: "*aktivierungscode*, *freischaltcode*, =kode",
        .payment: """
        bankleitzahl, blz, gültig bis, *karteninhaber*, *kartennummer*, *kartenprüf*, kontoinhaber, \
        *kontonummer*, *kreditkarte*, prüfziffer, *sozialvers*, steuer id, *steuernummer*
        """,
        .personName: """
        anrede, *familienname*, geburtsname, ihr name, *nachname*, rufname, vollständiger name, \
        vor und nachname, *vorname*, zuname
        """,
        .birthday: "*geburt*, =jahr, =monat, =tag",
        .organization: "abteilung, arbeitgeber, beruf, *firmenname*, institution*, unternehmen",
        .address: """
        adresszusatz, bundesland, hausnr, hausnummer, lieferadresse, ländervorwahl, ort, plz, *postleitzahl*, \
        stadt, strasse, *straße*, wohnort
        """,
        .bareAddress: "anschrift",
        .securityAnswer: "*antwort*, *geheime frage*, *geheimfrage*, passwort hinweis, *sicherheitsfrage*",
        .matter: """
        aktionscode, anmerkung*, auftragsnummer, bemerkung*, bestellnummer, betrag, betreff, einladungscode, \
        geschlecht, gutschein*, *gutscheincode*, menge, nachricht, rabatt*, titel, ust id*
        """,
        .new: """
        erstell*, festlegen, gewünscht*, neu, neue, neuer, neues, *neuespass*, *neukenn*, vergeben, wunsch*, \
        wähle*, wählen*
        """,
        .current: "aktuell*, alt, alte, altes, *altespass*, bisherig*, derzeit*, jetzig*",
        .confirmation: "*bestätig*, erneut, noch einmal, nochmal*, wdh, *wiederhol*, zur kontrolle",
        .strength: "großbuchstabe*, mindestens, sonderzeichen, zeichen lang",
        .signUp: """
        jetzt anmelden und, konto anlegen, konto erstellen, konto eröffnen, kundenkonto anlegen, \
        mitglied werden, neu hier, *neueskonto*, neukunde*, registrier*
        """,
        .signIn: "anmeld*, *anmelden*, einlogg*",
        .remember: "angemeldet, eingeloggt, merken",
        .terms: "agb, akzeptier*, *datenschutz*, einwillig*, nutzungsbedingung*, zustimm*",
        .passwordChange: """
        kennwort zurücksetzen, kennwort ändern, neues kennwort, neues passwort, *passwort zurücksetzen*, \
        *passwort ändern*
        """,
        .lost: "vergessen*",
        .aside: "bereits kunde, bereits registriert, nicht, schon registriert",
    ])
}
