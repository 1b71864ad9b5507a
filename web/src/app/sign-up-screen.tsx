import { MemberScope } from "@/app/member-scope";
import SignUpPage from "@/pages/sign-up-page";

/** The one public screen that reads server state: the clubs. */
export default function SignUpScreen() {
  return (
    <MemberScope>
      <SignUpPage />
    </MemberScope>
  );
}
