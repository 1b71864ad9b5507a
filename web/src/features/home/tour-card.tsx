import "@/features/home/tour-card.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleQuestionMark, Crown, MessageCircle } from "lucide-react";
import { invalidateAfter } from "@/api/stale";
import { todayQuery } from "@/api/today";
import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { markTourSeen } from "@/features/home/api";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

/** What a new member can do here, in three lines, until they have read it. */
export function TourCard() {
  const member = useMember();
  const queryClient = useQueryClient();
  const today = useQuery(todayQuery(member)).data;
  const see = useMutation({
    mutationFn: () => markTourSeen(member.id),
    onSuccess: () => invalidateAfter(queryClient, "tour-seen", member.id),
    onError: showFailure,
  });
  if (today === undefined || today.tourSeen || see.isPending || see.isSuccess) {
    return null;
  }
  return (
    <Panel title="How it works" className="tour-card">
      <ul className="ticks">
        <li>
          <CircleQuestionMark aria-hidden="true" />
          Play the quest and predict matches: every right answer earns points.
        </li>
        <li>
          <Crown aria-hidden="true" />
          Battle points lift your rank, up to King of Fans.
        </li>
        <li>
          <MessageCircle aria-hidden="true" />
          Talk with {member.clubName} and share your moments.
        </li>
      </ul>
      <Button variant="secondary" onClick={() => see.mutate()}>
        Got it
      </Button>
    </Panel>
  );
}
