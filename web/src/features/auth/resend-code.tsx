import { useEffect, useState } from "react";
import { Button } from "@/components/button";
import { type CodeChannel, resendCode } from "@/features/auth/api";
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

const PLACES: Record<CodeChannel, string> = { email: "email", sms: "phone" };
const INSTEAD: Record<CodeChannel, string> = {
  email: "Send it by email instead",
  sms: "Send it by SMS instead",
};
/** Longer than the pause between codes: the channel is used up for today. */
const LONG_WAIT_SECONDS = 60;

const WAITING: Record<CodeState, (wait: string) => string> = {
  sent: (wait) => `You can request a new code in ${wait}.`,
  held: (wait) => `Your code has not been sent yet. You can ask for it in ${wait}.`,
  unknown: (wait) => `You can ask for a new code in ${wait}.`,
};

interface ResendCodeProps {
  userId: string;
  news: CodeNews;
  channel: CodeChannel;
  channels: readonly CodeChannel[];
  /** Store the new time, and the channel of a code that was sent, so that they survive a reload. */
  onNews: (news: CodeNews, channel: CodeChannel) => void;
}

/** Requests a code; until one may be sent it shows when. */
export function ResendCode({ userId, news, channel, channels, onNews }: ResendCodeProps) {
  const [left, startCountdown] = useCountdown(secondsUntilNext(news));
  const { nextAtMs } = news;
  // A corrected address has its own pause.
  useEffect(() => startCountdown(secondsUntilNext({ nextAtMs })), [nextAtMs, startCountdown]);
  const learn = (learned: CodeNews, through: CodeChannel) => {
    startCountdown(secondsUntilNext(learned));
    onNews(learned, through);
  };
  const [isChecking, setChecking] = useState(false);
  const submission = useSubmission({
    send: (through: CodeChannel) =>
      withChallenge((solution) => resendCode(userId, through, solution), setChecking),
    repeatable: true,
    onSuccess: (retryAfterSeconds, through) => {
      showToast("success", "We have sent you a new code.");
      learn({ code: "sent", nextAtMs: Date.now() + retryAfterSeconds * 1000 }, through);
    },
    onError: (error, through) => {
      showFailure(error);
      const seconds = secondsToWait(error);
      if (seconds > 0 && through === channel) {
        learn(codeNews(seconds, news.code), channel);
      }
    },
  });
  const busy = {
    busy: submission.isPending,
    ...(isChecking ? { busyText: CHECKING } : {}),
  };
  const other = channels.find((each) => each !== channel);
  const instead =
    other !== undefined && (left === 0 || left > LONG_WAIT_SECONDS) ? (
      <Button variant="quiet" {...busy} onClick={() => submission.submit(other)}>
        {INSTEAD[other]}
      </Button>
    ) : null;
  if (left > 0) {
    return (
      <div className="resend">
        <p className="small muted" role="timer">
          {WAITING[news.code](formatWait(left))}
        </p>
        {instead}
      </div>
    );
  }
  return (
    <div className="resend">
      <span className="small muted">
        {news.code === "held"
          ? "Your code has not been sent yet."
          : `No code in your ${PLACES[channel]}?`}
      </span>
      <Button variant="quiet" {...busy} onClick={() => submission.submit(channel)}>
        {news.code === "held" ? "Send the code" : "Send a new code"}
      </Button>
      {instead}
    </div>
  );
}
