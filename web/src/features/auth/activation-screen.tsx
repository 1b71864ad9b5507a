import "@/features/auth/activation.css";
import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router-dom";
import { SpinnerOverlay } from "@/components/spinner";
import { activate, type CodeChannel } from "@/features/auth/api";
import { AuthLayout } from "@/features/auth/auth-layout";
import { CodeAddress } from "@/features/auth/code-address";
import { CodeInput } from "@/features/auth/code-input";
import { type CodeNews, codeNews, readCodeNews } from "@/features/auth/code-news";
import { useJoiningColours } from "@/features/auth/joining-colours";
import { channelIn, emailIn, withEmail } from "@/features/auth/known-email";
import { ResendCode } from "@/features/auth/resend-code";
import { CODE_LENGTH } from "@/features/auth/rules";
import { signUpDraft } from "@/features/auth/sign-up-draft";
import { usePendingSignUp } from "@/features/auth/use-pending-sign-up";
import { paths } from "@/lib/format/paths";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useSubmission } from "@/lib/ui/use-submission";

const REDIRECT_DELAY_MS = 3000;

export default function ActivationScreen() {
  const { id = "" } = useParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  useJoiningColours();
  const known = { email: emailIn(state), channel: channelIn(state) };
  const keep = (news: CodeNews, learned: Partial<CodePlace>) => {
    const { email, channel } = { ...known, ...learned };
    void navigate(pathname, { replace: true, state: { ...news, ...withEmail(email), channel } });
  };
  return (
    <AuthLayout title="OTP Validation">
      <Activation key={id} userId={id} known={known} news={readCodeNews(state)} onNews={keep} />
    </AuthLayout>
  );
}

/** Where a code goes. */
interface CodePlace {
  email: string;
  channel: CodeChannel;
}

interface ActivationProps {
  userId: string;
  /** As far as the previous screen knows it. */
  known: CodePlace;
  news: CodeNews;
  onNews: (news: CodeNews, learned: Partial<CodePlace>) => void;
}

/** One input that submits automatically when the code is complete. */
function Activation({ userId, known, news, onNews }: ActivationProps) {
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const { pending, refresh, update } = usePendingSignUp(userId);
  const { email, channel } = pending ?? known;
  const submission = useSubmission({
    send: (complete: string) => activate(userId, complete),
    onSuccess: (answer) => {
      signUpDraft.clear();
      showToast("success", answer.message);
    },
    onError: (error) => {
      showFailure(error);
      setCode("");
      input.current?.focus();
      void refresh();
    },
  });
  useSignInSoon(submission.isSuccess, email);
  useEffect(() => input.current?.focus(), []);

  const onChange = (typed: string) => {
    setCode(typed);
    if (typed.length === CODE_LENGTH && typed !== code && !submission.isPending) {
      submission.submit(typed);
    }
  };
  const onCorrected = (corrected: string, retryAfterSeconds: number) => {
    setCode("");
    if (pending) {
      update({ ...pending, email: corrected, channel: "email" });
    }
    onNews(codeNewsAfter(retryAfterSeconds), { email: corrected, channel: "email" });
    input.current?.focus();
  };

  if (submission.isSuccess) {
    return <Activated />;
  }
  return (
    <div className="form">
      <p className="muted">Please fill in the input below</p>
      <CodeInput inputRef={input} label="Activation code" value={code} onChange={onChange} />
      {pending === null ? (
        <Ended email={known.email} />
      ) : (
        <>
          <ResendCode
            userId={userId}
            news={news}
            channel={channel}
            channels={pending?.channels ?? [channel]}
            onNews={(learned, through) => {
              if (pending) {
                update({ ...pending, channel: through });
              }
              onNews(learned, { channel: through });
            }}
          />
          <CodeAddress
            userId={userId}
            email={email}
            phone={channel === "sms" ? (pending?.phone ?? "") : null}
            onCorrected={onCorrected}
            onReread={async () => (await refresh())?.email}
          />
        </>
      )}
      {submission.isPending ? <SpinnerOverlay label="Checking the code" /> : null}
    </div>
  );
}

/** The status after a corrected address: its code was sent, `seconds` before the next one. */
function codeNewsAfter(seconds: number): CodeNews {
  return seconds === 0 ? codeNews(0, "sent") : { ...codeNews(seconds, "sent"), code: "sent" };
}

/** For a tab that another one has overtaken, and for links that are a day old. */
function Ended({ email }: { email: string }) {
  return (
    <div className="notice activation-ended" role="status">
      <p>
        This sign-up has ended. If you have activated your account, sign in. If not, please sign up
        again.
      </p>
      <p className="activation-ended-links">
        <Link className="text-link" to={paths.signIn} state={withEmail(email)}>
          Sign In
        </Link>
        <Link className="text-link" to={paths.signUp}>
          Sign Up
        </Link>
      </p>
    </div>
  );
}

function Activated() {
  return (
    <div className="auth-done" role="status">
      <CircleCheck aria-hidden="true" />
      <p>Your account is active. Taking you to the sign-in page.</p>
    </div>
  );
}

function useSignInSoon(activated: boolean, email: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!activated) {
      return;
    }
    const timer = setTimeout(
      () => void navigate(paths.signIn, { replace: true, state: withEmail(email) }),
      REDIRECT_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [activated, email, navigate]);
}
