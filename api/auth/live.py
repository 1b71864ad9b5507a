"""Carries the codes that were issued to the people they are for."""

from api.auth import rules
from api.auth.enums import CodePurpose
from api.auth.events import CodeIssued
from api.core.mail import Letter, Mailer

SUBJECTS = {
    CodePurpose.ACTIVATION: "Your King of Fans activation code",
    CodePurpose.PASSWORD_RESET: "Your King of Fans password code",
}
LINES = {
    CodePurpose.ACTIVATION: "Enter this code to activate your account:",
    CodePurpose.PASSWORD_RESET: "Enter this code to choose a new password:",
}


class CodeCourier:
    """Turns an issued code into a letter."""

    def __init__(self, mailer: Mailer) -> None:
        self._mailer = mailer

    async def carry(self, event: CodeIssued) -> None:
        """Mail the code of ``event``."""
        minutes = int(rules.CODE_LIFE.total_seconds() // 60)
        body = (
            f"Hello {event.first_name},\n\n{LINES[event.purpose]}\n\n    {event.code}\n\n"
            f"It is good for {minutes} minutes. If you did not ask for it, ignore this message.\n\n"
            "King of Fans\nGet Connected Get Rewarded\n"
        )
        await self._mailer.send(Letter(event.email, SUBJECTS[event.purpose], body))
