import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { SpinnerOverlay } from "@/components/spinner";
import { activate } from "@/features/auth/api";
import { AuthLayout } from "@/features/auth/auth-layout";
import { CodeInput } from "@/features/auth/code-input";
import { type CodeNews, readCodeNews } from "@/features/auth/code-news";
import { ResendCode } from "@/features/auth/resend-code";
import { CODE_LENGTH } from "@/features/auth/rules";
import { paths } from "@/lib/format/paths";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useSubmission } from "@/lib/ui/use-submission";

const REDIRECT_DELAY_MS = 3000;

export default function ActivationScreen() {
  const { id = "" } = useParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const keep = (news: CodeNews) => void navigate(pathname, { replace: true, state: news });
  return (
    <AuthLayout title="OTP Validation">
      <Activation key={id} userId={id} news={readCodeNews(state)} onNews={keep} />
    </AuthLayout>
  );
}

interface ActivationProps {
  userId: string;
  news: CodeNews;
  onNews: (news: CodeNews) => void;
}

/** One input that submits automatically when the code is complete. */
function Activation({ userId, news, onNews }: ActivationProps) {
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const submission = useSubmission({
    send: (complete: string) => activate(userId, complete),
    onSuccess: (answer) => showToast("success", answer.message),
    onError: (error) => {
      showFailure(error);
      setCode("");
      input.current?.focus();
    },
  });
  useSignInSoon(submission.isSuccess);
  useEffect(() => input.current?.focus(), []);

  const onChange = (typed: string) => {
    setCode(typed);
    if (typed.length === CODE_LENGTH && typed !== code && !submission.isPending) {
      submission.submit(typed);
    }
  };

  if (submission.isSuccess) {
    return <Activated />;
  }
  return (
    <div className="form">
      <p className="muted">Please fill in the input below</p>
      <CodeInput inputRef={input} label="Activation code" value={code} onChange={onChange} />
      <ResendCode userId={userId} news={news} onNews={onNews} />
      {submission.isPending ? <SpinnerOverlay label="Checking the code" /> : null}
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

function useSignInSoon(activated: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!activated) {
      return;
    }
    const timer = setTimeout(
      () => void navigate(paths.signIn, { replace: true }),
      REDIRECT_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [activated, navigate]);
}
