import "@/features/auth/sign-up.css";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { Inviter } from "@/api/wire";
import { Button } from "@/components/button";
import { AccountExists, isAccountExists } from "@/features/auth/account-exists";
import { channelsQuery, clubsQuery, type SignUpValues, signUp } from "@/features/auth/api";
import { CheckedSubmit } from "@/features/auth/checked-submit";
import { StepClub } from "@/features/auth/chosen-club";
import { codeNews } from "@/features/auth/code-news";
import { joiningClub, useClubStand } from "@/features/auth/joining-club";
import { withEmail } from "@/features/auth/known-email";
import { LAST_STEP, reachableStep, stepOf, validateStep } from "@/features/auth/rules";
import { draftedSignUp, latestSignUp, saveDraft } from "@/features/auth/sign-up-draft";
import { ClubStep, DetailsStep, PasswordStep } from "@/features/auth/sign-up-steps";
import { useSignUpStep } from "@/features/auth/use-sign-up-step";
import { withChallenge } from "@/features/auth/with-challenge";
import { clubPair } from "@/lib/format/colours";
import { paths } from "@/lib/format/paths";
import { isOffline, Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import { useForm } from "@/lib/ui/use-form";
import { useSubmission } from "@/lib/ui/use-submission";

const STEPS = [
  { heading: "Choose your club", Fields: ClubStep },
  { heading: "Your details", Fields: DetailsStep },
  { heading: "Password and terms", Fields: PasswordStep },
] as const;

interface SignUpFormProps {
  /** The code of an invite. */
  invite?: string | null;
  inviter?: Inviter | null;
  /** The club of the link, as the default; it can be changed. */
  club?: string;
}

/**
 * A club, then the person, then the password: one step per history entry.
 *
 * A link with a club begins after the first step.
 */
export function SignUpForm({ invite = null, inviter = null, club = "" }: SignUpFormProps) {
  const cameBy = invite ?? (club || null);
  const [initial] = useState(() => draftedSignUp(cameBy, club));
  const current = useRef(0);
  const form = useForm<SignUpValues>(initial, (values) => validateStep(values, current.current));
  const { step, next, backTo } = useSignUpStep(reachableStep(form.values), club === "" ? 0 : 1);
  current.current = step;
  const [existing, setExisting] = useState<string | null>(null);
  const [isChecking, setChecking] = useState(false);
  const submission = useSignUp(invite, setChecking, (refusal, email) => {
    form.refuse(refusal.fields);
    const isTheirEmail = "email" in refusal.fields;
    setExisting(isAccountExists(refusal) ? (isTheirEmail ? email : "") : null);
    const first = stepOf(Object.keys(refusal.fields));
    if (first < step) {
      backTo(first);
    }
  });
  useEffect(() => saveDraft(form.values, cameBy), [form.values, cameBy]);
  const chosen = useChosenClub(form);
  useQuery(channelsQuery); // known by the time the second step is open

  const isLast = step === LAST_STEP;
  const { heading, Fields } = STEPS[step] ?? STEPS[0];
  const { errors } = form;
  return (
    <form
      className="form sign-up"
      data-step={step}
      noValidate
      onSubmit={form.submit((values) => (isLast ? submission.submit(values) : next()))}
    >
      <StepHeading step={step} heading={heading} onBack={() => backTo(step - 1)} />
      <StepClub step={step} club={chosen} inviter={inviter} onChange={() => backTo(0)} />
      <Fields form={form} />
      {existing !== null && (errors.email || errors.phone) ? (
        <AccountExists email={existing} />
      ) : null}
      <CheckedSubmit
        label={isLast ? "Sign Up" : "Continue"}
        busy={submission.isPending}
        isChecking={isChecking}
      >
        <p className="auth-switch">
          Have an account?{" "}
          <Link className="text-link" to={paths.signIn} state={withEmail(form.values.email)}>
            Login
          </Link>
        </p>
      </CheckedSubmit>
    </form>
  );
}

interface StepHeadingProps {
  step: number;
  heading: string;
  onBack: () => void;
}

/** The progress and the step's heading, which gets the focus when the step changes. */
function StepHeading({ step, heading, onBack }: StepHeadingProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) {
      return;
    }
    shown.current = step;
    window.scrollTo(0, 0);
    const form = title.current?.closest("form");
    const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (invalid ?? title.current)?.focus();
  }, [step]);
  return (
    <div className="sign-up-step">
      <div className="sign-up-progress">
        <p id="sign-up-progress" className="small muted">
          Step {step + 1} of {STEPS.length}
        </p>
        {step > 0 ? (
          <Button variant="quiet" onClick={onBack}>
            Back
          </Button>
        ) : null}
      </div>
      <div className="sign-up-bars" aria-hidden="true">
        {STEPS.map((each, index) => (
          <span key={each.heading} data-reached={index <= step} />
        ))}
      </div>
      <h2 ref={title} tabIndex={-1} aria-describedby="sign-up-progress">
        {heading}
      </h2>
    </div>
  );
}

/**
 * Apply the chosen club's colours to the page at once, and to those that follow; a club that is
 * not on the list is none.
 */
function useChosenClub({ values, set }: ReturnType<typeof useForm<SignUpValues>>) {
  const { data: clubs } = useQuery(clubsQuery);
  const club = clubs?.find(({ id }) => id === values.club);
  useClubStand(club === undefined ? null : club.colours);
  const isUnknown = values.club !== "" && clubs !== undefined && club === undefined;
  useEffect(() => {
    if (club !== undefined) {
      const { name, emblem, colours } = club;
      joiningClub.write({ name, emblem, colours: clubPair(colours) });
    }
    if (isUnknown) {
      set("club", "");
    }
  });
  return club;
}

/** A refusal shows the server's sentence; a lost response only re-enables the button (spec 8). */
function useSignUp(
  invite: string | null,
  onCheck: (isChecking: boolean) => void,
  onRefused: (refusal: Refusal, email: string) => void,
) {
  const navigate = useNavigate();
  const submission = useSubmission({
    send: (values: SignUpValues) =>
      withChallenge((solution) => signUp(values, invite, solution), onCheck),
    onSuccess: ({ id, retryAfter }, values) => {
      const { email, channel } = values;
      const path = paths.activate(id);
      const state = { ...codeNews(retryAfter, "held"), ...withEmail(email), channel };
      latestSignUp.write({ sent: asText(values, invite), path, state });
      navigate(path, { state });
    },
    onError: (error, { email }) => {
      if (error instanceof Refusal || isOffline()) {
        showFailure(error);
      }
      if (error instanceof Refusal) {
        onRefused(error, email);
      }
    },
  });
  const submit = (values: SignUpValues) => {
    const latest = latestSignUp.read();
    if (latest?.sent === asText(values, invite)) {
      navigate(latest.path, { state: latest.state });
    } else {
      submission.submit(values);
    }
  };
  return { ...submission, submit };
}

function asText(values: SignUpValues, invite: string | null): string {
  return JSON.stringify([values, invite]);
}
