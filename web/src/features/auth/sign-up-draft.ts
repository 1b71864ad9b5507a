import type { SignUpValues } from "@/features/auth/api";
import { isRecord, storedValue } from "@/lib/device/storage";

/** What survives a reload of the tab: never the password. */
type DraftValues = Omit<SignUpValues, "password" | "confirmPassword" | "tnc">;

export interface SignUpDraft extends DraftValues {
  /** The link it began with, an invite or a club; another link brings its own club. */
  cameBy: string | null;
}

export const EMPTY_SIGN_UP: SignUpValues = {
  club: "",
  firstName: "",
  lastName: "",
  phone: "",
  email: "",
  password: "",
  confirmPassword: "",
  tnc: false,
  channel: "email",
};

export const signUpDraft = storedValue("sign-up", parseDraft, "for-this-tab");

/** A sign-up whose code is on its way: where it is activated, and the state of that page. */
interface SentSignUp {
  /** The values and the invite, as text. */
  sent: string;
  path: string;
  state: object;
}

/**
 * The latest sign-up of this page: who goes back and sends the same again returns to its code. In
 * memory only, because the values include the password.
 */
export const latestSignUp = storedValue<SentSignUp>("sent-sign-up", parseSent, "for-this-page");

/** Store all values but the password and the consent. */
export function saveDraft(values: SignUpValues, cameBy: string | null): void {
  const { password: _secret, confirmPassword: _again, tnc: _consent, ...draft } = values;
  signUpDraft.write({ ...draft, cameBy });
}

/** The form's first values: those of the draft, with the club of a new link. */
export function draftedSignUp(cameBy: string | null, clubId: string): SignUpValues {
  const draft = signUpDraft.read();
  if (draft === null) {
    return { ...EMPTY_SIGN_UP, club: clubId };
  }
  const { cameBy: cameBefore, ...values } = draft;
  const isNewLink = cameBy !== cameBefore && clubId !== "";
  return { ...EMPTY_SIGN_UP, ...values, ...(isNewLink ? { club: clubId } : {}) };
}

function parseSent(stored: unknown): SentSignUp | null {
  if (!isRecord(stored)) {
    return null;
  }
  const { sent, path, state } = stored;
  return typeof sent === "string" && typeof path === "string" && isRecord(state)
    ? { sent, path, state }
    : null;
}

function parseDraft(stored: unknown): SignUpDraft | null {
  if (!isRecord(stored)) {
    return null;
  }
  const text = (name: string) => (typeof stored[name] === "string" ? stored[name] : "");
  return {
    club: text("club"),
    firstName: text("firstName"),
    lastName: text("lastName"),
    phone: text("phone"),
    email: text("email"),
    channel: text("channel") === "sms" ? "sms" : "email",
    cameBy: text("cameBy") || null,
  };
}
