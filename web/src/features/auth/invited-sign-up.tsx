import { useQuery } from "@tanstack/react-query";
import { Crest } from "@/components/crest";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { inviterQuery } from "@/features/auth/api";
import { SignUpForm } from "@/features/auth/sign-up-form";

/** The sign-up of an invite: the inviter, with the club preselected; an unknown code is ignored. */
export function InvitedSignUp({ code }: { code: string }) {
  const { data: inviter, isPending, isPaused } = useQuery(inviterQuery(code));
  if (isPending && !isPaused) {
    return <ScreenSkeleton />;
  }
  if (!inviter) {
    return <SignUpForm invite={code} />;
  }
  return (
    <>
      <p className="notice invited-by">
        <Crest clubName={inviter.clubName} emblem={inviter.emblem} size={40} />
        <strong>
          {inviter.firstName} invites you to {inviter.clubName}
        </strong>
      </p>
      <SignUpForm invite={code} club={inviter.clubId} />
    </>
  );
}
