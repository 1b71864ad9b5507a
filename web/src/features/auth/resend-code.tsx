import { useMutation } from "@tanstack/react-query";
import { Button } from "@/components/button";
import { resendCode, secondsToWait } from "@/features/auth/api";
import { messageOf } from "@/lib/api-error";
import { formatCountdown } from "@/lib/dates";
import { showToast } from "@/lib/toasts";
import { useCountdown } from "@/lib/use-countdown";

const SECONDS_BETWEEN_CODES = 60;

interface ResendCodeProps {
  userId: string;
  codeJustSent: boolean;
}

/** Asks for a new code; between two codes it counts down instead. */
export function ResendCode({ userId, codeJustSent }: ResendCodeProps) {
  const [left, startCountdown] = useCountdown(codeJustSent ? SECONDS_BETWEEN_CODES : 0);
  const mutation = useMutation({
    mutationFn: () => resendCode(userId),
    onSuccess: (retryAfterSeconds) => {
      showToast("success", "We have sent you a new code.");
      startCountdown(retryAfterSeconds);
    },
    onError: (error) => {
      showToast("error", messageOf(error));
      startCountdown(secondsToWait(error));
    },
  });
  if (left > 0) {
    return (
      <p className="small muted" role="timer">
        We sent the code to your email. You can ask for a new one in {formatCountdown(left)}.
      </p>
    );
  }
  return (
    <p className="resend">
      <span className="small muted">The code is in your email. Nothing there?</span>
      <Button look="quiet" busy={mutation.isPending} onClick={() => mutation.mutate()}>
        Send a new code
      </Button>
    </p>
  );
}
