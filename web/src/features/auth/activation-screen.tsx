import "@/features/auth/activation.css";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router-dom";
import { Crest } from "@/components/crest";
import { SpinnerOverlay } from "@/components/spinner";
import { activate, type CodeChannel, type PendingSignUp } from "@/features/auth/api";
import { AuthLayout } from "@/features/auth/auth-layout";
import { CodePlaces, type Corrected } from "@/features/auth/code-address";
import { CodeInput } from "@/features/auth/code-input";
import { type CodeNews, codeNews, readCodeNews } from "@/features/auth/code-news";
import { type JoiningClub, joiningClub, useClubStand } from "@/features/auth/joining-club";
import { channelIn, emailIn, withEmail } from "@/features/auth/known-email";
import { ResendCode } from "@/features/auth/resend-code";
import { CODE_LENGTH } from "@/features/auth/rules";
import { signUpDraft } from "@/features/auth/sign-up-draft";
import { usePendingSignUp } from "@/features/auth/use-pending-sign-up";
import { clubPair } from "@/lib/format/colours";
import { counted } from "@/lib/format/counts";
import { paths } from "@/lib/format/paths";
import { showFailure } from "@/lib/ui/show-failure";
import { useSubmission } from "@/lib/ui/use-submission";

const REDIRECT_DELAY_MS = 3000;

export default function ActivationScreen() {
  const { id = "" } = useParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const known = { email: emailIn(state), channel: channelIn(state) };
  const keep = (news: CodeNews, learned: Partial<CodePlace>) => {
    const { email, channel } = { ...known, ...learned };
    void navigate(pathname, { replace: true, state: { ...news, ...withEmail(email), channel } });
  };
  return <Activation key={id} userId={id} known={known} news={readCodeNews(state)} onNews={keep} />;
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
  const [welcome, setWelcome] = useState<Welcome | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { pending, refresh, update } = usePendingSignUp(userId);
  const club = useJoinedClub(pending);
  const { email, channel } = pending ?? known;
  const submission = useSubmission({
    send: (complete: string) => activate(userId, complete),
    onSuccess: ({ message, data }) => {
      signUpDraft.clear();
      setWelcome({ message, points: data.points });
    },
    onError: (error) => {
      showFailure(error);
      setCode("");
      input.current?.focus();
      void refresh();
    },
  });
  useSignInSoon(welcome !== null, email);
  useEffect(() => input.current?.focus(), []);

  const onChange = (typed: string) => {
    setCode(typed);
    if (typed.length === CODE_LENGTH && typed !== code && !submission.isPending) {
      submission.submit(typed);
    }
  };
  const onCorrected = (corrected: Corrected, retryAfterSeconds: number) => {
    setCode("");
    if (pending) {
      update({ ...pending, ...corrected });
    }
    const { channel: through, email: address = email } = corrected;
    onNews(codeNewsAfter(retryAfterSeconds), { email: address, channel: through });
    input.current?.focus();
  };

  if (welcome !== null) {
    return <Activated {...welcome} club={club} email={email} />;
  }
  return (
    <AuthLayout title="OTP Validation" emblem={<JoinedClub club={club} />}>
      <div className="form activation">
        {pending === null ? null : (
          <CodePlaces
            userId={userId}
            state={news.code}
            email={email}
            phone={channel === "sms" ? (pending?.phone ?? "") : null}
            onCorrected={onCorrected}
            onReread={refresh}
          />
        )}
        <p className="muted">Please fill in the input below</p>
        <CodeInput inputRef={input} label="Activation code" value={code} onChange={onChange} />
        {pending === null ? (
          <Ended email={known.email} />
        ) : (
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
        )}
        {submission.isPending ? <SpinnerOverlay label="Checking the code" /> : null}
      </div>
    </AuthLayout>
  );
}

/**
 * The club that the sign-up joins, in whose colours the page is: as this tab has chosen it, until
 * the server has said it.
 */
function useJoinedClub(pending: PendingSignUp | null | undefined): JoiningClub | null {
  const [chosen] = useState(() => joiningClub.read());
  const [said, setSaid] = useState<JoiningClub | null>(null);
  useEffect(() => {
    if (pending) {
      const { name, emblem, colours } = pending.club;
      const club = { name, emblem, colours: clubPair(colours) };
      setSaid(club);
      joiningClub.write(club);
    }
  }, [pending]);
  const club = said ?? chosen;
  useClubStand(club?.colours ?? null);
  return club;
}

/** The crest and the name of the club; its place is held until the club is known. */
function JoinedClub({ club }: { club: JoiningClub | null }) {
  return (
    <p className="joined-club">
      {club ? (
        <>
          <Crest clubName={club.name} emblem={club.emblem} colours={club.colours} size={64} />
          <strong>{club.name}</strong>
        </>
      ) : null}
    </p>
  );
}

/** The status after a correction: its code was sent, `seconds` before the next one. */
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

interface Welcome {
  /** The server's. */
  message: string;
  /** Those that the account begins with. */
  points: number;
}

interface ActivatedProps extends Welcome {
  club: JoiningClub | null;
  email: string;
}

/** The welcome of the club, for the seconds before the sign-in. */
function Activated({ club, email, message, points }: ActivatedProps) {
  const title = `Welcome to ${club?.name ?? "King of Fans"}`;
  return (
    <AuthLayout
      title={title}
      emblem={
        club ? (
          <span className="welcome-crest">
            <Crest clubName={club.name} emblem={club.emblem} colours={club.colours} size={120} />
          </span>
        ) : null
      }
    >
      <div className="welcome-words" role="status">
        {points > 0 ? (
          <p className="welcome-points">Your {counted(points, "point")} are in.</p>
        ) : null}
        <p>{message}</p>
        <p className="muted">
          Taking you to the sign-in page.{" "}
          <Link className="text-link" to={paths.signIn} replace state={withEmail(email)}>
            Sign in now
          </Link>
        </p>
      </div>
    </AuthLayout>
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
