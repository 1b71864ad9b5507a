import "@/features/ranking/member-card.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { todayQuery } from "@/api/today";
import { Avatar } from "@/components/avatar";
import { RankProgress } from "@/components/rank-progress";
import { Skeleton } from "@/components/skeleton";
import { Unknown } from "@/components/unknown";
import { formatCount } from "@/lib/format/counts";
import { displayName, spokenWords } from "@/lib/format/names";
import { paths } from "@/lib/format/paths";
import { unitOf } from "@/lib/format/points";
import { useMember } from "@/lib/session/session";

/** The member's card in the club's colours: name, club, badge and points. */
export function MemberCard() {
  const member = useMember();
  const today = useQuery(todayQuery(member));
  const me = today.data?.me;
  return (
    <section className="card member-card" aria-label="Your profile">
      <div className="member-who">
        <Avatar lastName={member.lastName} src={member.avatar} />
        <h2>{displayName(member.lastName, member.firstName)}</h2>
        <Link className="member-points" to={paths.points}>
          <span className="numeral">
            {me ? formatCount(me.points) : <NotYet asking={today.isLoading} />}
          </span>{" "}
          <span className="small">season {unitOf(me?.points ?? 0)}</span>
          <span className="visually-hidden">, points history</span>
        </Link>
      </div>
      <p className="member-of">
        <span>{member.clubName}</span> <span aria-hidden="true">·</span>{" "}
        <span className="member-badge">{spokenWords(member.badge) || "No badge yet"}</span>
      </p>
      <RankProgress me={me} />
    </section>
  );
}

/** Replaces a missing answer: a skeleton while it may come, else a dash. */
function NotYet({ asking }: { asking: boolean }) {
  return asking ? <Skeleton shape="numeral" width="2ch" /> : <Unknown />;
}
