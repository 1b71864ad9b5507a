import "@/features/ranking/member-card.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Crown, Ticket } from "lucide-react";
import { Link } from "react-router-dom";
import { planQuery, statisticsQuery } from "@/api/member";
import type { Statistics } from "@/api/wire";
import { Avatar } from "@/components/avatar";
import { Crest } from "@/components/crest";
import { Skeleton } from "@/components/skeleton";
import { Unknown } from "@/components/unknown";
import { formatCount } from "@/lib/counts";
import { displayName, spokenWords, TOP_RANK } from "@/lib/names";
import { paths } from "@/lib/paths";
import { rankProgress } from "@/lib/points";
import { useMember } from "@/lib/session";

/** The member's card in the club's colours: who, which club, which badge, how many points. */
export function MemberCard() {
  const member = useMember();
  const statistics = useQuery(statisticsQuery(member.id));
  const ranking = statistics.data?.ranking;
  return (
    <section className="card member-card" aria-label="Your profile">
      <div className="member-who">
        <Avatar lastName={member.lastName} src={member.avatar} size="large" />
        <div>
          <h2>{displayName(member.lastName, member.firstName)}</h2>
          <p>{ranking?.clubName ?? member.clubName}</p>
          <RunningPlan />
        </div>
        <Crest
          clubName={member.clubName}
          emblem={member.emblem}
          colours={member.clubColours}
          size={64}
        />
      </div>
      <dl className="member-numbers">
        <div>
          <dt>Points</dt>
          <dd className="numeral">
            {ranking ? (
              formatCount(ranking.points)
            ) : (
              <NotYet asking={statistics.isLoading} width="3ch" />
            )}
          </dd>
        </div>
        <div>
          <dt>Badge</dt>
          <dd className="member-badge">
            {ranking ? (
              spokenWords(ranking.badge) || "None yet"
            ) : (
              <NotYet asking={statistics.isLoading} width="7ch" />
            )}
          </dd>
        </div>
      </dl>
      <div className="member-progress">
        {ranking ? (
          <NextRank ranking={ranking} />
        ) : (
          <ProgressSkeleton asking={statistics.isLoading} />
        )}
        <Link to={paths.points}>
          Points history <ArrowRight aria-hidden="true" />
        </Link>
      </div>
    </section>
  );
}

/** In place of what was asked: room for it while the answer may come, else that it is unknown. */
function NotYet({ asking, width }: { asking: boolean; width: string }) {
  return asking ? <Skeleton shape="numeral" width={width} /> : <Unknown />;
}

/** As high as the bar and its line, which most members have. */
function ProgressSkeleton({ asking }: { asking: boolean }) {
  return asking ? (
    <div className="progress-waiting">
      <Skeleton width="80%" />
    </div>
  ) : null;
}

function RunningPlan() {
  const plan = useQuery(planQuery(useMember().id)).data?.plan;
  return plan ? (
    <p className="member-plan">
      <Ticket aria-hidden="true" />
      {plan}
    </p>
  ) : null;
}

/** How far it is to the next rank, in battle points. */
function NextRank({ ranking }: { ranking: Statistics["ranking"] }) {
  const { battlePoints, pointsToNext, nextRank } = ranking;
  if (nextRank === null || pointsToNext === null) {
    return ranking.badge === TOP_RANK ? (
      <p>
        <Crown aria-hidden="true" /> Nobody stands higher
      </p>
    ) : null;
  }
  return (
    <div>
      <progress
        max={battlePoints + pointsToNext}
        value={battlePoints}
        aria-label="Battle points to the next rank"
      />
      <p>{rankProgress(battlePoints, battlePoints + pointsToNext, nextRank)}</p>
    </div>
  );
}
