import "@/components/rank-progress.css";
import { Crown } from "lucide-react";
import { rankProgress } from "@/lib/format/points";

interface Progress {
  battlePoints: number;
  /** The battle points of the next rank; null at the top. */
  rankAt: number | null;
  nextRank: string | null;
}

/** The distance to the next rank, in battle points; keeps its place until it is known. */
export function RankProgress({ me }: { me: Progress | undefined }) {
  return <div className="rank-progress">{me ? <NextRank {...me} /> : null}</div>;
}

function NextRank({ battlePoints, rankAt, nextRank }: Progress) {
  return nextRank === null || rankAt === null ? (
    <p>
      <Crown aria-hidden="true" /> No one is ahead of you
    </p>
  ) : (
    <>
      <progress max={rankAt} value={battlePoints} aria-label="Battle points to the next rank" />
      <p>{rankProgress(battlePoints, rankAt, nextRank)}</p>
    </>
  );
}
