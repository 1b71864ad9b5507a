import { useState } from "react";
import { Button } from "@/components/button";
import { resendCode } from "@/features/auth/api";
import { CHECKING } from "@/features/auth/checked-submit";
import {
  type CodeNews,
  type CodeState,
  codeNews,
  formatWait,
  secondsUntilNext,
} from "@/features/auth/code-news";
import { secondsToWait } from "@/features/auth/sign-in-api";
import { withChallenge } from "@/features/auth/with-challenge";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useCountdown } from "@/lib/ui/use-countdown";
import { useSubmission } from "@/lib/ui/use-submission";

const WAITING: Record<CodeState, (wait: string) => string> = {
  sent: (wait) => `We sent the code to your email. You can ask for a new one in ${wait}.`,
  held: (wait) => `Your code has not been sent yet. You can ask for it in ${wait}.`,
  unknown: (wait) => `You can ask for a new code in ${wait}.`,
};

interface ResendCodeProps {
  userId: string;
  news: CodeNews;
  /** Store the new time, so that it survives a reload. */
  onNews: (news: CodeNews) => void;
}

/** Requests a code; until one may be sent it shows when. */
export function ResendCode({ userId, news, onNews }: ResendCodeProps) {
  const [left, startCountdown] = useCountdown(secondsUntilNext(news));
  const learn = (learned: CodeNews) => {
    startCountdown(secondsUntilNext(learned));
    onNews(learned);
  };
  const [isChecking, setChecking] = useState(false);
  const submission = useSubmission({
    send: () => withChallenge((solution) => resendCode(userId, solution), setChecking),
    repeatable: true,
    onSuccess: (retryAfterSeconds) => {
      showToast("success", "We have sent you a new code.");
      learn({ code: "sent", nextAtMs: Date.now() + retryAfterSeconds * 1000 });
    },
    onError: (error) => {
      showFailure(error);
      const seconds = secondsToWait(error);
      if (seconds > 0) {
        learn(codeNews(seconds, news.code));
      }
    },
  });
  if (left > 0) {
    return (
      <p className="small muted" role="timer">
        {WAITING[news.code](formatWait(left))}
      </p>
    );
  }
  return (
    <p className="resend">
      <span className="small muted">
        {news.code === "held" ? "Your code has not been sent yet." : "No code in your email?"}
      </span>
      <Button
        variant="quiet"
        busy={submission.isPending}
        {...(isChecking ? { busyText: CHECKING } : {})}
        onClick={() => submission.submit(undefined)}
      >
        {news.code === "held" ? "Send the code" : "Send a new code"}
      </Button>
    </p>
  );
}
