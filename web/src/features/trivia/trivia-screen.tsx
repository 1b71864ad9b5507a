import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarX } from "lucide-react";
import { useEffect, useState } from "react";
import { keys } from "@/api/query-keys";
import { EmptyState } from "@/components/empty-state";
import { Loaded, together } from "@/components/loaded";
import { NextTime } from "@/components/next-time";
import { Skeleton } from "@/components/skeleton";
import { attemptQuery, isSubmissionUndecided, questionsQuery } from "@/features/trivia/api";
import { Attempted } from "@/features/trivia/attempted";
import { Quiz } from "@/features/trivia/quiz";
import { serverNowMs } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

/** The daily quest: the questions, or one of its three ends. */
export default function TriviaScreen() {
  const member = useMember();
  const attempt = useQuery(attemptQuery(member));
  const isScored = typeof attempt.data?.points === "number";
  const questions = useQuery({ ...questionsQuery(member), enabled: !isScored });
  // After a lost response a refetch may bring the points: the answers stay until it is decided.
  const isUndecided =
    (questions.data?.length ?? 0) > 0 && isSubmissionUndecided(member, attempt.data?.day ?? "");
  const isDone = isScored && !isUndecided;
  const [sheet, setSheet] = useState(1);
  const [finishedDay, setFinishedDay] = useState<string | null>(null);
  const isPlaying = !isDone && (questions.data?.length ?? 0) > 0;
  useNextDay(isPlaying ? undefined : attempt.data?.nextAt);

  if (attempt.data !== undefined && isDone) {
    return <Attempted attempt={attempt.data} justNow={finishedDay === attempt.data.day} />;
  }
  return (
    <Loaded query={together(attempt, questions)} pending={<QuestSkeleton />}>
      {([today, asked]) =>
        asked.length === 0 ? (
          <NoQuest nextAt={today.nextAt} />
        ) : (
          <Quiz
            key={sheet}
            questions={asked}
            attempt={today}
            onFinished={() => setFinishedDay(today.day)}
            onExpired={() => setSheet((number) => number + 1)}
          />
        )
      }
    </Loaded>
  );
}

function NoQuest({ nextAt }: { nextAt: string }) {
  return (
    <section className="card" aria-label="No quest today">
      <EmptyState
        icon={CalendarX}
        title="Apologies! No daily quest question for your club at the moment"
      >
        <NextTime at={nextAt} label="The next day begins in" />
      </EmptyState>
    </section>
  );
}

function QuestSkeleton() {
  return (
    <div className="quest-waiting" role="status" aria-label="Loading today's quest">
      <Skeleton shape="block" />
    </div>
  );
}

/** Fetch the new day's quest at the server's midnight, but not under a playing member. */
function useNextDay(nextAt: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const leftMs = Date.parse(nextAt ?? "") - serverNowMs();
    if (Number.isNaN(leftMs) || leftMs <= 0) {
      return;
    }
    const timer = setTimeout(
      () => void queryClient.resetQueries({ queryKey: keys.allQuests }),
      leftMs + 1000,
    );
    return () => clearTimeout(timer);
  }, [nextAt, queryClient]);
}
