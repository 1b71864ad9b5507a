import "@/features/battle/arena.css";
import type { BattleConfig, BattleRank } from "@/api/wire";
import { Announcer } from "@/features/battle/announcer";
import { isRunning } from "@/features/battle/battle-machine";
import { battleMemory } from "@/features/battle/battle-memory";
import { Challengers } from "@/features/battle/challengers";
import { EndingFace } from "@/features/battle/ending-face";
import type { Served } from "@/features/battle/events";
import { ladder, windowOf } from "@/features/battle/ladder";
import {
  ConnectingFace,
  OfflineFace,
  RefusedFace,
  TakenOverFace,
} from "@/features/battle/other-faces";
import { QuestionCard } from "@/features/battle/question-card";
import { ResultCard } from "@/features/battle/result-card";
import type { Battle } from "@/features/battle/use-battle";
import { formatMoment } from "@/lib/format/dates";
import { rankName } from "@/lib/format/names";
import { useMember } from "@/lib/session/session";
import { type LinkStatus, useLinkStatus } from "@/lib/ui/status";

interface ArenaProps {
  battle: Battle;
  config: BattleConfig | null;
  ranks: BattleRank[];
}

/** The game: rank and dates above, the question or its result, the challengers beside. */
export function Arena({ battle, config, ranks }: ArenaProps) {
  const { face, challengers } = battle.state;
  useLinkStatus(statusOf(battle));
  const inPlay = isRunning(face) || face.kind === "result" || face.kind === "connecting";
  return (
    <div className="battle-columns">
      <div className="battle-main">
        {inPlay && config ? (
          <RankStrip config={config} ranks={ranks} served={servedOf(battle)} />
        ) : null}
        <FaceOf battle={battle} ranks={ranks} />
        <Announcer face={face} />
      </div>
      {challengers.length > 0 ? <Challengers rows={challengers} /> : null}
    </div>
  );
}

/** The connection of a running battle, while it is not open. */
function statusOf({ state: { face, link }, reconnect }: Battle): LinkStatus | null {
  if (!isRunning(face) && face.kind !== "result") {
    return null;
  }
  if (link === "opening") {
    return { text: "Connecting... The clock runs on." };
  }
  return link === "broken" ? { text: "The connection is lost.", reconnect } : null;
}

function FaceOf({ battle, ranks }: Omit<ArenaProps, "config">) {
  const { face } = battle.state;
  switch (face.kind) {
    case "question":
      return <QuestionCard served={face.served} chosen={null} onChoose={battle.choose} />;
    case "sent":
      return (
        <QuestionCard served={face.served} chosen={face.answer} held={face.delivery === "held"} />
      );
    case "result":
      return (
        <ResultCard
          key={face.result.questionId}
          result={face.result}
          served={servedOf(battle)}
          ranks={ranks}
          onContinue={battle.proceed}
        />
      );
    case "ended":
      return <EndingFace ending={face.ending} onLeave={battle.leave} />;
    case "refused":
      return <RefusedFace refusal={face.refusal} onAgain={battle.enter} onLeave={battle.leave} />;
    case "taken-over":
      return <TakenOverFace onPlayHere={battle.reconnect} />;
    case "offline":
      return <OfflineFace onReconnect={battle.reconnect} onLeave={battle.leave} />;
    default:
      return <ConnectingFace onReconnect={battle.reconnect} onLeave={battle.leave} />;
  }
}

/** The question being shown; after a reload this tab restores it. */
function servedOf({ state: { face } }: Battle): Served | null {
  if (isRunning(face)) {
    return face.served;
  }
  if (face.kind !== "result" || face.served !== null) {
    return face.kind === "result" ? face.served : null;
  }
  const remembered = battleMemory.read()?.served ?? null;
  return remembered?.question.id === face.result.questionId ? remembered : null;
}

interface RankStripProps {
  config: BattleConfig;
  ranks: BattleRank[];
  served: Served | null;
}

function RankStrip({ config, ranks, served }: RankStripProps) {
  const { badge } = useMember();
  const rank = served?.rank || badge;
  const rung = ladder(ranks, rank).find(({ slug }) => slug === rank);
  const { startsAt, endsAt } = windowOf(rung, config);
  return (
    <p className="rank-strip">
      <strong>{rankName(rank)}</strong>
      <span className="small">
        {formatMoment(startsAt)} to {formatMoment(endsAt)}
      </span>
    </p>
  );
}
