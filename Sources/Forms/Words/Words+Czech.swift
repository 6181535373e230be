// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Czech and Slovak.
    static let czech = LanguageWords([
        .password: "hesla, heslem, *heslo*",
        .oneTimeCode: """
        bezpečnostní kód, jednorázov*, kód z mobilu, kód z sms, *ověřovací kód*, potvrzovací kód, sms kód
        """,
        .email: "e mailová adresa",
        .phone: "telefónne číslo",
        .search: "hledat, hledej, hľadať, vyhledat",
        .captcha: "opište kód, opište text, opíšte",
        .trap: "nevyplňujte, nevypĺňajte, ponechte prázdné",
        .username: """
        *používateľ*, používateľské meno, prihlasovacie meno, přihlašovací jméno, *uživatel*, uživatelské jméno
        """,
        .alias: "prezývka, přezdívka, zákaznické číslo, členské číslo, číslo zákazníka",
        .account: "zákazník, účet, číslo",
        .code: "kód",
        .payment: """
        držitel karty, kreditná karta, kreditní karta, platnost karty, rodné číslo, číslo karty, číslo účtu
        """,
        .personName: """
        celé jméno, jméno a příjmení, krstné meno, křestní jméno, meno a priezvisko, priezvisko, příjmení, \
        vaše jméno
        """,
        .bareName: "=jméno, =meno",
        .birthday: "=den, =měsíc, *narodenia*, *narozen*, =rok, věk",
        .organization: "název firmy, povolání, společnost, spoločnosť",
        .address: "krajina, město, obec, psč, stát, ulice, země, číslo popisné",
        .securityAnswer: "bezpečnostná otázka, kontrolní otázka, odpověď, tajná otázka",
        .matter: """
        ičo, množství, pohlaví, poznámka, slevový kód, správa, zpráva, zľavový kód, částka, číslo objednávky
        """,
        .new: "nové, nový, vytvořte, zvolte",
        .current: "aktuální, pôvodné, původní, současné, staré, stávající, súčasné",
        .confirmation: """
        ešte raz, heslo pro kontrolu, ještě jednou, kontrola hesla, opakovat, opakujte, ověření hesla, \
        potvrdit, potvrzení, potvrďte, znovu, *zopak*
        """,
        .strength: "alespoň, aspoň, minimálně, nejméně",
        .signUp: """
        nový zákazník, nový účet, registrac*, registrace, registrova*, registrovat, registruj*, vytvořit účet, \
        založit účet, zaregistr*
        """,
        .signIn: "prihlásenie, přihlás*, přihlášení",
        .remember: """
        pamatovat*, trvalé přihlášení, zapamatovat*, zapamätať*, zostať prihlásen*, zůstat přihlášen*
        """,
        .terms: "podmienk*, podmínk*, souhlas*, súhlas*",
        .passwordChange: "nové heslo, obnova hesla, obnovení hesla, změna hesla, změnit heslo",
        .lost: "zabudl*, zabudnut*, zapomenut*, zapomn*",
        .aside: "není to, už máte účet",
    ])
}
