import { useQuery } from "@tanstack/react-query";
import { statisticsQuery } from "@/api/member";
import { Avatar } from "@/components/avatar";
import { Crest } from "@/components/crest";
import { Skeleton } from "@/components/skeleton";
import { formatCount } from "@/lib/money";
import { displayName, spokenWords } from "@/lib/names";
import { useMember } from "@/lib/session";

/** The member's card in the club's colours: who, which club, which badge, how many points. */
export function MemberCard() {
  const member = useMember();
  const statistics = useQuery(statisticsQuery(member.id));
  const ranking = statistics.data?.ranking;
  return (
    <section className="card member-card" aria-label="Your profile">
      <div className="member-who">
        <Avatar name={member.lastName} src={member.avatar} size="large" />
        <div>
          <h2>{displayName(member.lastName, member.firstName)}</h2>
          <p>{ranking?.clubName ?? member.clubName}</p>
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
            {statistics.isPending ? (
              <Skeleton shape="numeral" width="3ch" />
            ) : (
              formatCount(ranking?.points ?? 0)
            )}
          </dd>
        </div>
        <div>
          <dt>Badge</dt>
          <dd className="member-badge">
            {spokenWords(ranking?.badge ?? member.badge) || "None yet"}
          </dd>
        </div>
      </dl>
    </section>
  );
}
