import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { invalidateAfter } from "@/api/stale";
import type { Moment } from "@/api/wire";
import { CopyLinkButton } from "@/components/copy-link-button";
import { Modal } from "@/components/modal";
import { SwitchChoice } from "@/components/switch-choice";
import { setPublic } from "@/features/moments/api";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

/** Opens an own moment to everyone with its link, or closes it, in a dialog that says what they see. */
export function LinkButton({ moment }: { moment: Moment }) {
  const [isOpen, setOpen] = useState(false);
  const says = moment.publicAt ? "Public link on" : "Share by link";
  return (
    <>
      <button
        type="button"
        className="text-link moment-share"
        aria-label={`${says}: ${moment.title}`}
        onClick={() => setOpen(true)}
      >
        {says}
      </button>
      {isOpen ? <LinkModal moment={moment} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function LinkModal({ moment, onClose }: { moment: Moment; onClose: () => void }) {
  const { firstName, clubName } = useMember();
  const { isPublic, change } = usePublic(moment);
  const link = `${window.location.origin}${paths.publicMoment(moment.id)}`;
  return (
    <Modal
      header={moment.title}
      onClose={onClose}
      content={
        <>
          <SwitchChoice
            title="Anyone with the link"
            note={
              <>
                They can watch the video and read its title and text, without an account. They also
                see your first name, <b>{firstName}</b>, and your club, <b>{clubName}</b>. The club
                sees the moment, too.
              </>
            }
            checked={isPublic}
            onChange={change}
          />
          {isPublic && moment.publicAt ? (
            <div className="moment-link">
              <p className="small">{link}</p>
              <CopyLinkButton link={link} variant="primary" />
            </div>
          ) : null}
        </>
      }
    />
  );
}

/** Whether a moment is public, as the last tap said, and the function that changes it. */
function usePublic(moment: Moment): { isPublic: boolean; change: (isPublic: boolean) => void } {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const sending = useMutation({
    networkMode: "always",
    mutationFn: (isPublic: boolean) => setPublic(moment.id, isPublic),
    onError: showFailure,
    // It may have been removed or hidden meanwhile.
    onSettled: () => invalidateAfter(queryClient, "moment-shared", userId),
  });
  return {
    isPublic: sending.isPending ? sending.variables : Boolean(moment.publicAt),
    change: (isPublic) => (sending.isPending ? undefined : sending.mutate(isPublic)),
  };
}
