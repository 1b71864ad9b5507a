import { useQuery } from "@tanstack/react-query";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { inviterQuery } from "@/features/auth/api";
import { SignUpForm } from "@/features/auth/sign-up-form";

/** The sign-up of an invite: the inviter, with the club preselected; an unknown code is ignored. */
export function InvitedSignUp({ code }: { code: string }) {
  const { data: inviter, isPending, isPaused } = useQuery(inviterQuery(code));
  if (isPending && !isPaused) {
    return <ScreenSkeleton />;
  }
  return inviter ? (
    <SignUpForm invite={code} inviter={inviter} club={inviter.clubId} />
  ) : (
    <SignUpForm invite={code} />
  );
}
