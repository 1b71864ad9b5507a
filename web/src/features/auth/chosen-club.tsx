import type { Club, Inviter } from "@/api/wire";
import { Button } from "@/components/button";
import { Crest } from "@/components/crest";
import { Skeleton } from "@/components/skeleton";

interface StepClubProps {
  step: number;
  /** Undefined until the clubs are fetched, and while none is chosen. */
  club: Club | undefined;
  inviter: Inviter | null;
  onChange: () => void;
}

/** Who invites, above the clubs; in the steps after them, the club that was chosen. */
export function StepClub({ step, inviter, ...chosen }: StepClubProps) {
  if (step > 0) {
    return <ChosenClub {...chosen} inviter={inviter} />;
  }
  return inviter === null ? null : (
    <p className="notice invited-by">
      <Crest clubName={inviter.clubName} emblem={inviter.emblem} size={40} />
      <strong>{invitation(inviter)}</strong>
    </p>
  );
}

/** The club that the steps after the first sign up for, in its colours. */
function ChosenClub({ club, inviter, onChange }: Omit<StepClubProps, "step">) {
  const isInvitersClub = inviter !== null && inviter.clubId === club?.id;
  return (
    <div className="chosen-club">
      {club === undefined ? (
        <Skeleton width="8rem" />
      ) : (
        <>
          <Crest clubName={club.name} emblem={club.emblem} colours={club.colours} size={40} />
          <strong>{isInvitersClub ? invitation(inviter) : club.name}</strong>
        </>
      )}
      <Button variant="quiet" aria-label={club && `Change ${club.name}`} onClick={onChange}>
        Change
      </Button>
    </div>
  );
}

function invitation({ firstName, clubName }: Inviter): string {
  return `${firstName} invites you to ${clubName}`;
}
