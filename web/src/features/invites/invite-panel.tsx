import { useQuery } from "@tanstack/react-query";
import { Share2 } from "lucide-react";
import { inviteQuery } from "@/api/invites";
import type { Invite } from "@/api/wire";
import { Button } from "@/components/button";
import { CopyLinkButton } from "@/components/copy-link-button";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import "@/features/invites/invite-panel.css";
import { sendText } from "@/lib/device/send-file";
import { shortLink } from "@/lib/device/sharing";
import { useMember } from "@/lib/session/session";

/** The member's invite link, and its results. */
export function InvitePanel() {
  const { id } = useMember();
  const invite = useQuery(inviteQuery(id));
  return (
    <Panel title="Invite friends">
      <Loaded query={invite} pending={<InvitePending />}>
        {(found) => <OwnInvite invite={found} />}
      </Loaded>
    </Panel>
  );
}

function OwnInvite({ invite }: { invite: Invite }) {
  const { link, rewarded, pending, cap, pointsEach } = invite;
  const { clubName } = useMember();
  return (
    <div className="invite">
      <p>You both get {pointsEach} points once your friend makes a payment or plays on 3 days.</p>
      <p className="invite-link">{shortLink(link)}</p>
      <div className="invite-actions">
        {typeof navigator.share === "function" ? (
          <Button
            icon={<Share2 aria-hidden="true" />}
            onClick={() => void sendText(`Support ${clubName} with me on King of Fans: ${link}`)}
          >
            Share
          </Button>
        ) : null}
        <CopyLinkButton link={link} />
      </div>
      <p className="small muted">
        {rewarded} of {cap} rewarded this season
        {pending === 0 ? "" : ` · ${pending} joined, reward to come`}
      </p>
    </div>
  );
}

function InvitePending() {
  return (
    <div role="status" aria-label="Loading your invite" className="invite-waiting">
      <Skeleton shape="block" />
    </div>
  );
}
