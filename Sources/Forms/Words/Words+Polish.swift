// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Polish.
    static let polish = LanguageWords([
        .password: "hasła, *hasło*",
        .pin: "kod pin",
        .oneTimeCode: """
        hasło jednorazowe, kod bezpieczeństwa, kod jednorazowy, kod potwierdzający, kod sms, *kod weryfik*, \
        kod weryfikacyjny
        """,
        .email: "adres e mail, poczta",
        .phone: "komórka, numer komórki, telefonu",
        .search: "szukaj, szukana, wyszukaj",
        .captcha: "kod z obrazka, przepisz, znaki z obrazka",
        .trap: "nie wypełniaj, pozostaw puste",
        .username: "identyfikator, nazwa użytkownika, *użytkownik*",
        .alias: "ksywka, nr klienta, numer członkowski, numer klienta, przydomek, pseudonim",
        .account: "klient, numer",
        .code: "kod aktywacyjny",
        .payment: "data ważności, karta kredytowa, numer karty, numer konta, numer rachunku, pesel, posiadacz*",
        .personName: "drugie imię, imię, imię i nazwisko, *nazwisko*, pełne imię",
        .birthday: "=dzień, =miesiąc, *urodzenia*, wiek",
        .organization: "nazwa firmy, organizacja, stanowisko, zawód",
        .address: "kod pocztowy, miasto, miejscowość, nr domu, numer domu, województwo",
        .securityAnswer: "odpowiedź, pytanie bezpieczeństwa, pytanie pomocnicze",
        .matter: """
        ilość, kod promocyjny, kod rabatowy, komentarz, kwota, nip, numer zamówienia, płeć, temat, uwagi, \
        wiadomość
        """,
        .new: "nowa, nowe, *nowehas*, nowy, ustaw, utwórz, wybierz, wymyśl",
        .current: "aktualne, bieżące, dotychczasowe, *obecn*",
        .confirmation: "jeszcze raz, ponownie, *potwierdź*, *powtórz*",
        .strength: "co najmniej, minimum znaków, przynajmniej",
        .signUp: """
        dołącz, nowe konto, nowy użytkownik, rejestrac*, *rejestracja*, utwórz konto, zarejestruj*, \
        załóż konto
        """,
        .signIn: "logowani*, *logowanie*, zaloguj*",
        .remember: "nie wylogowuj, pozostań zalogowany, *zapamięt*",
        .terms: "akceptuję, regulamin*, warunki, wyrażam zgodę, zgadzam",
        .passwordChange: "nowe hasło, resetowanie hasła, resetuj hasło, ustaw hasło, zmiana hasła, zmień hasło",
        .lost: "nie pamiętam, nie pamiętasz, *zapomnia*",
        .aside: "masz już konto, nie jest",
    ])
}
