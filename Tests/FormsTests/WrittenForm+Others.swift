// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    static let changes: [WrittenForm] = [
        WrittenForm(
            "An app that changes the password",
            """
            <field id=old contentType=password secure> <field id=new contentType=newPassword secure>
            <field id=again contentType=newPassword secure>
            """,
            .changePassword, "password newPassword confirmation", offered: true,
            because: "it asks for the current password and a new one"),
        WrittenForm(
            "The web's words, with the name hidden as browsers ask for",
            """
            <input type=text name=user autocomplete=username hidden value=jo>
            <input type=password autocomplete=current-password id=a> <input type=password autocomplete=new-password id=b>
            """,
            .changePassword, "hidden password newPassword", offered: true, because: "its autocomplete is new-password"),
        WrittenForm(
            "Three passwords, named",
            """
            <input type=password name=current_password> <input type=password name=new_password>
            <input type=password name=confirm_new_password>
            """,
            .changePassword, "password newPassword confirmation", offered: true,
            because: "its name contains “currentpass”"),
        WrittenForm(
            "Three passwords, without any hint",
            "<input type=password id=a> <input type=password id=b> <input type=password id=c>",
            .changePassword, "password newPassword confirmation", offered: true,
            because: "it is the first of three password fields"),
        WrittenForm(
            "Three passwords, typed, the current one last",
            """
            <input type=password id=a value=new> <input type=password id=b value=new> <input type=password id=c value=old>
            """,
            .changePassword, "newPassword confirmation password", offered: true,
            because: "the one of three password fields that differs"),
        WrittenForm(
            "The current one last, by the fields' names",
            """
            <input type=password name=password> <input type=password name=password_confirmation>
            <input type=password name=current_password>
            """,
            .changePassword, "newPassword confirmation password", offered: true,
            because: "the field after it confirms it"),
        WrittenForm(
            "Two passwords: the current and the new one, by the fields' names",
            "<input type=password name=password> <input type=password name=newpassword>",
            .changePassword, "password newPassword", offered: true, because: "another field is for the new password"),
        WrittenForm(
            "Two passwords that differ",
            "<input type=password id=a value=one> <input type=password id=b value=two>",
            .changePassword, "password newPassword", offered: true, because: "the two password fields differ"),
        WrittenForm(
            "Old, new, verify",
            "<input type=password name=OldPass> <input type=password name=Pass> <input type=password name=VerifyPass>",
            .changePassword, "password newPassword confirmation", offered: true, because: "its name contains “oldpass”"),
        WrittenForm(
            "German",
            """
            <input type=password name=altesPasswort> <input type=password name=neuesPasswort>
            <input type=password name=neuesPasswortBestätigen>
            """,
            .changePassword, "password newPassword confirmation", offered: true,
            because: "its name contains “altespass”"),
        WrittenForm(
            "French",
            """
            <input type=password name=ancien_mdp> <input type=password name=nouveau_mdp>
            <input type=password name=confirmation_mdp>
            """,
            .changePassword, "password newPassword confirmation", offered: true, because: "its name contains “ancien"),
        WrittenForm(
            "A settings page with name and address above",
            """
            <input type=text name=display_name> <input type=email name=email value=jo@example.com>
            <input type=password name=old_password> <input type=password name=new_password1>
            <input type=password name=new_password2>
            """,
            .changePassword, "other username password newPassword confirmation", offered: true,
            because: "its name contains “oldpass”"),
        WrittenForm(
            "The new one shown, the current one not",
            "<input type=password name=currentPassword> <input type=text name=newPassword>",
            .changePassword, "password newPassword", because: "its name contains “newpass”"),
        WrittenForm(
            "A reset by mail: the new password twice, and no name",
            "<input type=password name=password> <input type=password name=password_confirm>",
            .signUp, "newPassword confirmation", because: "its name contains “confirm”"),
    ]

    static let others: [WrittenForm] = [
        WrittenForm(
            "An app's code field", "<field id=code contentType=oneTimeCode keyboard=numberPad>", .oneTimeCode,
            "oneTimeCode", because: "it asks for a code and no password"),
        WrittenForm(
            "A code by its words", "<input type=text name=verification_code maxlength=6 inputmode=numeric>",
            .oneTimeCode,
            "oneTimeCode", because: "its name contains “verification code”"),
        WrittenForm(
            "A code by its digits", "<input type=tel name=code maxlength=6 pattern=[0-9]*>", .oneTimeCode,
            "oneTimeCode",
            because: "it accepts 6 digits"),
        WrittenForm(
            "A code in six fields",
            """
            <input type=tel maxlength=1 id=d1> <input type=tel maxlength=1 id=d2> <input type=tel maxlength=1 id=d3>
            <input type=tel maxlength=1 id=d4> <input type=tel maxlength=1 id=d5> <input type=tel maxlength=1 id=d6>
            """,
            .oneTimeCode, "oneTimeCode oneTimeCode oneTimeCode oneTimeCode oneTimeCode oneTimeCode",
            because: "it is one of 6 fields of one character each"),
        WrittenForm(
            "A code in six hidden fields, which are no passwords",
            """
            <input type=password maxlength=1 id=d1> <input type=password maxlength=1 id=d2>
            <input type=password maxlength=1 id=d3> <input type=password maxlength=1 id=d4>
            <input type=password maxlength=1 id=d5> <input type=password maxlength=1 id=d6>
            """,
            .oneTimeCode, "oneTimeCode oneTimeCode oneTimeCode oneTimeCode oneTimeCode oneTimeCode",
            because: "one character each"),
        WrittenForm(
            "A code in German", "<input type=text name=Bestätigungscode>", .oneTimeCode, "oneTimeCode",
            because: "its name contains “bestätigungscode”"),
        WrittenForm(
            "A card, its number and code hidden",
            """
            <input type=text name=name_on_card autocomplete=cc-name> <input type=password name=cc_number>
            <input type=password name=securityCode maxlength=3>
            """,
            .other, "payment payment payment", because: "beside a card's number"),
        WrittenForm(
            "A card with a code and no autocomplete",
            "<input type=tel name=cardNumber> <input type=tel name=expiry> <input type=password name=cvv2>",
            .other, "payment payment payment", because: "its name contains “cvv”"),
        WrittenForm(
            "A newsletter", "<input type=email name=email placeholder=\"Your e-mail\">", .other, "username",
            because: "its type is email"),
        WrittenForm("A search box", "<input type=search name=q>", .other, "search", because: "its type is search"),
        WrittenForm(
            "A letter to the office",
            "<input type=text name=fullname> <input type=email name=email> <input type=text name=subject>",
            .other, "other username other", because: "no user name alone"),
        WrittenForm(
            "An address",
            """
            <input autocomplete=given-name id=g> <input autocomplete=street-address id=s> <input autocomplete=postal-code id=p>
            """,
            .other, "other other other", because: "its autocomplete is street-address"),
        WrittenForm("Nothing", "", .other, "", because: "it asks for no password"),
        WrittenForm(
            "Four passwords that cannot be distinguished",
            "<input type=password id=a> <input type=password id=b> <input type=password id=c> <input type=password id=d>",
            .other, "other other other other", because: "it asks for no password"),
        WrittenForm(
            "The first page of a sign-up",
            "<field id=user contentType=username> <field id=firstName> <field id=lastName>",
            .other, "username other other", because: "no user name alone"),
    ]
}
