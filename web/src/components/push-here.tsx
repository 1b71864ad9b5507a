import { Button } from "@/components/button";
import { PushDialog, type PushDialogProps } from "@/components/push-dialog";
import { SkeletonOf } from "@/components/skeleton";
import type { PushState } from "@/lib/device/push";

interface PushHereProps {
  /** Not known yet, whether and how this browser receives push. */
  isPending: boolean;
  /** Null while it is pending, and if the server does not push. */
  state: PushState | null;
  dialog: PushDialogProps | null;
  open: () => void;
  turnOff: { mutate: () => void; isPending: boolean };
}

/** Whether this browser receives push, and how to change that. */
export function PushHere(push: PushHereProps) {
  return (
    <>
      {sentenceOf(push)}
      {push.dialog === null ? null : <PushDialog {...push.dialog} />}
    </>
  );
}

function sentenceOf({ isPending, state, open, turnOff }: PushHereProps) {
  if (isPending) {
    return (
      <SkeletonOf>
        <Button>Turn on notifications</Button>
      </SkeletonOf>
    );
  }
  switch (state) {
    case "off":
      return <Button onClick={open}>Turn on notifications</Button>;
    case "on":
      return (
        <>
          <p className="muted">Notifications are on in this browser.</p>
          <Button variant="secondary" busy={turnOff.isPending} onClick={() => turnOff.mutate()}>
            Turn off
          </Button>
        </>
      );
    case "install-first":
      return (
        <p className="muted">
          On an iPhone, notifications work only in the installed app: tap Share, then Add to Home
          Screen, and turn them on there.
        </p>
      );
    case "blocked":
      return (
        <p className="muted">
          Your browser blocks notifications from this site. Allow them in its settings.
        </p>
      );
    default:
      return <p className="muted">This browser does not support notifications.</p>;
  }
}
