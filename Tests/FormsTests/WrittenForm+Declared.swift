// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    /// Passwords whose declaration is contradicted.
    static let declared: [WrittenForm] = [
        WrittenForm(
            "A sign-up that declares the current password",
            """
            <input name=first label="First name"> <input type=email name=email>
            <input type=password name=password autocomplete=current-password>
            <input type=checkbox name=ok label="I agree to the terms">
            """,
            .signUp, "other username newPassword other", offered: true,
            because: "though its autocomplete is current-password"),
        WrittenForm(
            "A sign-up made from a template",
            """
            <input name=firstName autocomplete=fname> <input name=lastName autocomplete=lname>
            <input name=email autocomplete=email> <input type=password name=password autocomplete=current-password>
            <input type=checkbox label="Send me marketing by e-mail">
            """,
            .signUp, "other other username newPassword other", offered: true,
            because: "though its autocomplete is current-password"),
        WrittenForm(
            "“Create a password”, declared the current one",
            """
            <input type=email name=email>
            <input type=password name=password autocomplete=current-password label="Create a password">
            """,
            .signUp, "username newPassword", offered: true, because: "its label contains “create”, though"),
        WrittenForm(
            "A heading that signs up, over a declared current password",
            """
            <form heading="Create your account" submit="Sign up"> <input type=email name=email autocomplete=username>
            <input type=password name=password autocomplete=current-password>
            """,
            .signUp, "username newPassword", offered: true, because: "though its autocomplete is current-password"),
        WrittenForm(
            "A confirmation after a declared current password",
            """
            <input type=email name=email> <input type=password name=pw autocomplete=current-password>
            <input type=password name=again autocomplete=new-password label="Confirm password">
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "the field after it confirms it"),
        WrittenForm(
            "Both declared the current one, the second with a number",
            """
            <input name=mail> <input type=password name=pw autocomplete=current-password>
            <input type=password name=pw2 autocomplete=current-password>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "named as the field before it"),
        WrittenForm(
            "Settings that ask for the password, declared",
            """
            <input name=first label="First name"> <input name=city label=City> <input type=email name=email>
            <input type=password name=password autocomplete=current-password label="Password, to save the changes">
            """,
            .signIn, "other other username password", because: "its autocomplete is current-password"),
        WrittenForm(
            "Three declared new, one of which is the current one",
            """
            <input type=password autocomplete=new-password name=a label="Current password">
            <input type=password autocomplete=new-password name=b label="New password">
            <input type=password autocomplete=new-password name=c label="Confirm new password">
            """,
            .changePassword, "password newPassword confirmation", offered: true,
            because: "its label contains “currentpass”, though"),
        WrittenForm(
            "Three declared the current one",
            """
            <input type=password autocomplete=current-password name=a label="Altes Passwort">
            <input type=password autocomplete=current-password name=b label="Neues Passwort">
            <input type=password autocomplete=current-password name=c label="Neues Passwort wiederholen">
            """,
            .changePassword, "password newPassword confirmation", offered: true,
            because: "its label contains “neuespass”, though"),
    ]
}
