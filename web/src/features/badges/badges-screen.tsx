import "@/features/badges/badges.css";
import { useQuery } from "@tanstack/react-query";
import {
  CalendarCheck,
  CircleCheck,
  CircleQuestionMark,
  Crown,
  Film,
  Flame,
  ListChecks,
  type LucideIcon,
  Medal,
  Star,
  Swords,
  Target,
  UserPlus,
} from "lucide-react";
import type { MemberBadge } from "@/api/wire";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { badgesQuery } from "@/features/badges/api";
import { StreakCard } from "@/features/badges/streak-card";
import { formatCount } from "@/lib/format/counts";
import { formatMoment } from "@/lib/format/dates";
import { rankProgress } from "@/lib/format/points";
import { useMember } from "@/lib/session/session";

const LOADING_BADGES = Array.from({ length: 12 }, (_, index) => String(index));

const ICONS: Partial<Record<MemberBadge["key"], LucideIcon>> = {
  "first-quest": CircleQuestionMark,
  "perfect-quest": CircleCheck,
  "streak-7": Flame,
  "streak-30": CalendarCheck,
  "first-battle": Swords,
  "super-fan": Star,
  "king-of-fans": Crown,
  "first-exact": Target,
  "five-exact": Medal,
  "full-round": ListChecks,
  "first-shared": Film,
  inviter: UserPlus,
};

/** The streak, and every badge: when it was earned, or how to get it and the progress. */
export default function BadgesScreen() {
  const badges = useQuery(badgesQuery(useMember().id));
  return (
    <div className="badges-page">
      <StreakCard />
      <Panel title={titleOf(badges.data)}>
        <Loaded query={badges} pending={<BadgesWaiting />}>
          {(all) => (
            <ul className="badges">
              {all.map((badge) => (
                <BadgeLine key={badge.key} badge={badge} />
              ))}
            </ul>
          )}
        </Loaded>
      </Panel>
    </div>
  );
}

function titleOf(badges: readonly MemberBadge[] | undefined): string {
  const earned = badges?.filter(({ earnedAt }) => earnedAt !== null).length;
  return earned === undefined ? "Badges" : `${earned} of ${badges?.length} badges`;
}

function BadgeLine({ badge: { key, name, how, earnedAt, progress } }: { badge: MemberBadge }) {
  const Icon = ICONS[key] ?? Medal;
  return (
    <li className={earnedAt === null ? "medal" : "medal is-earned"}>
      <span className="medal-sign">
        <Icon aria-hidden="true" />
      </span>
      <div>
        <h3>{name}</h3>
        <p className="small muted">{how}</p>
        {earnedAt === null ? null : <p className="small">Earned on {formatMoment(earnedAt)}</p>}
        {earnedAt === null && progress !== null ? (
          <p className="medal-progress small">
            <progress max={progress.of} value={progress.now} aria-label={name} />
            <span>{progressText(key, progress)}</span>
          </p>
        ) : null}
      </div>
    </li>
  );
}

/** The progress; ranks are reached by battle points. */
function progressText(key: MemberBadge["key"], { now, of }: { now: number; of: number }): string {
  return key === "super-fan" || key === "king-of-fans"
    ? rankProgress(now, of, key)
    : `${formatCount(now)} of ${formatCount(of)}`;
}

function BadgesWaiting() {
  return (
    <div className="badges" role="status" aria-label="Loading the badges">
      {LOADING_BADGES.map((badge) => (
        <div key={badge} className="medal">
          <Skeleton shape="block" />
        </div>
      ))}
    </div>
  );
}
