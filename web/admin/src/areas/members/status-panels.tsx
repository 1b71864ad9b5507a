import { Link } from "react-router-dom";
import { Panel } from "@/components/panel";
import { formatCount } from "@/lib/format/counts";
import { formatShortMoment } from "@/lib/format/dates";
import { useMay } from "~/api/operator";
import type { Member } from "~/areas/members/member";
import { actionName } from "~/lib/action-names";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { EvidenceButton, HideOrRestore, MuteAndBan } from "~/parts/chat-measures";
import { Facts } from "~/parts/facts";
import { StateBadge } from "~/parts/state-badge";
import { Timeline } from "~/parts/timeline";

/** The member's club history. */
export function ClubPanel({ member: { clubName, clubHistory } }: { member: Member }) {
  return (
    <Panel title="Club">
      {clubHistory.length === 0 ? <p>{clubName}</p> : null}
      <Timeline
        entries={clubHistory.map((period) => ({
          key: period.from,
          at: period.from,
          text: period.clubName,
          note: [
            period.to === null ? null : `Until ${formatShortMoment(period.to)}`,
            period.by === null ? null : `Moved by ${period.by.name}`,
          ]
            .filter(Boolean)
            .join(". "),
        }))}
      />
    </Panel>
  );
}

/** The member's active sessions. */
export function SessionsPanel({ member: { sessions } }: { member: Member }) {
  return (
    <Panel title="Signed in">
      {sessions.length === 0 ? <p className="muted">No active sessions.</p> : null}
      <Timeline
        entries={sessions.map(({ id, device, startedAt, lastSeenAt }) => ({
          key: id,
          at: startedAt,
          text: device,
          note: `Last seen ${formatShortMoment(lastSeenAt)}`,
        }))}
      />
    </Panel>
  );
}

/** Points, rank and moments. */
export function GamesPanel({ member: { id, ranking, moments } }: { member: Member }) {
  const mayModerate = useMay("GET /api/v1/admin/moments");
  const posted = `${formatCount(moments.shown)} shown, ${formatCount(moments.hidden)} hidden`;
  return (
    <Panel title="Points and moments">
      <Facts
        facts={{
          Season: ranking.season,
          Points: formatCount(ranking.points),
          "Place in the club":
            ranking.clubRank === null
              ? null
              : `${formatCount(ranking.clubRank)} of ${formatCount(ranking.clubMembers)}`,
          Rank: labelOf(ranking.badge),
          "Questions answered": formatCount(ranking.cnt),
          Moments: mayModerate ? <Link to={`/moments?member=${id}`}>{posted}</Link> : posted,
        }}
      />
    </Panel>
  );
}

/** The member's chat restrictions and the reports about them. */
export function ChatPanel({ member }: { member: Member }) {
  const { id, chat } = member;
  return (
    <Panel title="Chat">
      <Facts
        facts={{
          "Muted until": chat.mute === null ? null : formatShortMoment(chat.mute.until),
          "Mute reason": chat.mute?.reason,
          "Banned until": chat.ban === null ? null : banEnd(chat.ban.until),
          "Ban reason": chat.ban?.reason,
        }}
      />
      {chat.reported.length === 0 ? (
        <p className="muted">No reports.</p>
      ) : (
        <ul className="evidence">
          {chat.reported.map(({ message, hidden, reasons }) => (
            <li key={message.id}>
              <p className="small muted">
                {message.club}, reported for {reasons.map(labelOf).join(", ")}
              </p>
              <p>{message.chat_message}</p>
              {hidden ? <StateBadge state="hidden" /> : null}
              <div className="buttons">
                <EvidenceButton message={message} />
                <HideOrRestore message={message} hidden={hidden} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="buttons">
        {chat.mute === null ? null : (
          <Action
            call="DELETE /api/v1/admin/chat/mutes/{user_id}"
            inPath={{ user_id: id }}
            text="Lift mute"
          />
        )}
        {chat.ban === null ? null : (
          <Action
            call="DELETE /api/v1/admin/chat/bans/{user_id}"
            inPath={{ user_id: id }}
            text="Lift ban"
          />
        )}
        {member.erasedAt === null ? <MuteAndBan member={member} /> : null}
      </div>
    </Panel>
  );
}

function banEnd(until: string | null): string {
  return until === null ? "lifted" : formatShortMoment(until);
}

/** Admin actions on the member, as far as the operator may read them. */
export function ActionsPanel({ member: { actions } }: { member: Member }) {
  return (
    <Panel title="Operator activity">
      {actions.length === 0 ? <p className="muted">Nothing.</p> : null}
      <Timeline
        entries={actions.map(({ id, at, operator, action, reason }) => ({
          key: id,
          at,
          text: `${actionName(action)} (${operator?.name ?? "command line"})`,
          note: reason,
        }))}
      />
    </Panel>
  );
}
