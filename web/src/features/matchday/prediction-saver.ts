import type { QueryClient } from "@tanstack/react-query";
import { invalidateAfter } from "@/api/stale";
import type { OwnPrediction } from "@/api/wire";
import { removePrediction, savePrediction } from "@/features/matchday/api";
import { isSameScore, type Score } from "@/features/matchday/prediction-rules";
import { isRecord } from "@/lib/device/storage";
import { Cancelled, messageOf, NoAnswer, neverSent, Refusal } from "@/lib/live/failures";
import { session } from "@/lib/session/session";
import { registerUnsavedWork } from "@/lib/session/unsaved-work";
import { showToast } from "@/lib/ui/toasts";

/** How long a score stays unchanged before it is saved. */
const SAVE_DELAY_MS = 700;
const NOT_SAVED = "You are offline. Your prediction is not saved.";
const CHANGED = "prediction_changed";

/** A stored prediction, as far as saving needs it. */
export type Stored = Pick<OwnPrediction, "home" | "away" | "savedAt">;

/** What is not saved yet of a match's prediction. */
export interface Unsaved {
  /** The newest score that is not saved yet. */
  draft: Score | null;
  /** The score whose save failed: it is not sent again until it changes or is retried. */
  refused: Score | null;
  isSaving: boolean;
  isRemoving: boolean;
}

const NOTHING: Unsaved = { draft: null, refused: null, isSaving: false, isRemoving: false };

/**
 * Saves a member's prediction of one match; it outlives the screens that show it.
 *
 * The latest score wins. One request is under way at a time, and its end sends the next. Each save
 * names the state it replaces, so that one that arrives late is refused instead of undoing a newer
 * one. Only a page that is hidden does not wait: it sends its newest score without a base, and the
 * older one finds its own base replaced, whichever arrives first.
 */
class PredictionSaver {
  private unsaved = NOTHING;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private queryClient: QueryClient | null = null;
  private matchName = "";
  /** The prediction that the screens show. */
  private shown: Stored | null = null;
  /** The `savedAt` that the next save replaces; undefined before the first response. */
  private stored: string | null | undefined;
  /** The score of that state; null for none. */
  private storedScore: Score | null = null;
  /** The states that this page has replaced: a screen that still shows one is not up to date. */
  private readonly replaced = new Set<string | null>();
  /** The newest request under way; outcomes of older ones no longer matter. */
  private request: { score: Score | null } | null = null;
  /** A score that was sent and never acknowledged. */
  private unacknowledged: Score | null = null;

  constructor(
    private readonly userId: string,
    private readonly matchId: string,
  ) {}

  readonly read = (): Unsaved => this.unsaved;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** What the screen shows, for as long as it is open. */
  show(queryClient: QueryClient, matchName: string, shown: Stored | null): void {
    this.queryClient = queryClient;
    this.matchName = matchName;
    this.shown = shown;
  }

  change(score: Score): void {
    this.update({ draft: score, refused: null });
    this.rebase();
    this.schedule();
  }

  remove(): void {
    this.stopTimer();
    const request = { score: null };
    this.request = request;
    this.update({ draft: null, refused: null, isRemoving: true });
    this.rebase();
    removePrediction(this.matchId).then(
      () => this.onStored(request, null),
      (error: unknown) => this.onFailure(request, error),
    );
  }

  /** Send a score whose save failed once more. */
  retry(): void {
    this.update({ refused: null });
    this.rebase();
    this.schedule();
  }

  /** The screen is left: send what waits now, or once the save under way has ended. */
  readonly leave = (): void => {
    this.stopTimer();
    this.sendNext();
  };

  /** The page is hidden, and may never run again. */
  hide(): void {
    this.stopTimer();
    const { draft, refused } = this.unsaved;
    const under = this.request?.score;
    if (under && draft !== null && !isSameScore(draft, under) && !isSameScore(draft, refused)) {
      this.send(draft, {});
    } else {
      this.sendNext();
    }
  }

  /** Ignore what is under way and waits. */
  drop(): void {
    this.stopTimer();
    this.request = null;
    this.update(NOTHING);
  }

  private update(change: Partial<Unsaved>): void {
    this.unsaved = { ...this.unsaved, ...change };
    for (const listener of this.listeners) {
      listener();
    }
  }

  /** Without a request under way, the next save replaces what the member sees. */
  private rebase(): void {
    const shown = this.shown?.savedAt ?? null;
    if (this.request === null && (this.stored === undefined || !this.replaced.has(shown))) {
      this.stored = shown;
      this.storedScore = this.shown;
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.leave, SAVE_DELAY_MS);
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private sendNext(): void {
    const { draft, refused } = this.unsaved;
    if (draft === null || this.request !== null || isSameScore(draft, refused)) {
      return;
    }
    if (session.read()?.id !== this.userId) {
      this.drop();
    } else if (isSameScore(draft, this.storedScore)) {
      this.forgetSaved(this.shown); // a screen that is not up to date keeps the draft
    } else {
      this.send(draft, { base: this.stored ?? null });
    }
  }

  private send(score: Score, order: { base?: string | null }): void {
    const request = { score };
    this.request = request;
    this.update({ isSaving: true });
    savePrediction(this.matchId, { ...score, ...order }).then(
      ({ data }) => this.onStored(request, data.savedAt),
      (error: unknown) => this.onFailure(request, error),
    );
  }

  private async onStored(request: { score: Score | null }, savedAt: string | null): Promise<void> {
    if (this.request !== request) {
      return;
    }
    this.end();
    this.unacknowledged = null;
    this.adopt(savedAt, request.score);
    this.sendIfWaiting();
    await this.refetch();
    if (this.request === null) {
      this.update({ isRemoving: false });
      this.forgetSaved(request.score);
    }
  }

  /** The draft is saved: from now on the stored prediction is shown. */
  private forgetSaved(saved: Score | null): void {
    const { draft } = this.unsaved;
    if (draft !== null && isSameScore(draft, saved)) {
      this.update({ draft: null });
    }
  }

  private async onFailure(request: { score: Score | null }, error: unknown): Promise<void> {
    if (this.request !== request) {
      return;
    }
    this.end();
    if (error instanceof Cancelled) {
      this.drop();
    } else if (error instanceof Refusal && error.code === CHANGED) {
      await this.onChanged(error);
    } else {
      this.onRefused(request.score, error);
    }
  }

  /** The score is not sent again, but a newer one is. */
  private onRefused(score: Score | null, error: unknown): void {
    const isUnsent = neverSent(error);
    this.update({ refused: score, isRemoving: false });
    this.tell(isUnsent ? NOT_SAVED : messageOf(error));
    if (!isUnsent) {
      this.unacknowledged = error instanceof NoAnswer ? score : null;
      void this.refetch();
    }
    this.sendIfWaiting();
  }

  /** The stored prediction is another than the member saw; it is shown instead of their draft. */
  private async onChanged(refusal: Refusal): Promise<void> {
    const stored = isRecord(refusal.data) ? (refusal.data as unknown as Stored) : null;
    const isOwn = stored !== null && isSameScore(stored, this.unacknowledged);
    const isStored = stored !== null && stored.savedAt !== null;
    this.adopt(isStored ? stored.savedAt : null, isStored ? stored : null);
    this.unacknowledged = null;
    if (isOwn) {
      this.sendNext();
      return;
    }
    this.stopTimer();
    this.tell(messageOf(refusal));
    const { draft } = this.unsaved;
    await this.refetch();
    if (this.unsaved.draft === draft) {
      this.update({ draft: null });
    }
  }

  private end(): void {
    this.request = null;
    this.update({ isSaving: false });
  }

  private adopt(savedAt: string | null, score: Score | null): void {
    this.storedScore = score;
    this.replaced.add(this.shown?.savedAt ?? null);
    this.replaced.add(this.stored ?? null);
    this.replaced.delete(savedAt);
    this.stored = savedAt;
  }

  /** Send a score that changed meanwhile, unless the member may still be changing it. */
  private sendIfWaiting(): void {
    if (this.timer === undefined) {
      this.sendNext();
    }
  }

  private async refetch(): Promise<void> {
    if (this.queryClient !== null) {
      await invalidateAfter(this.queryClient, "predicted", this.userId);
    }
  }

  /** Show why a save failed; on other screens with the match. */
  private tell(sentence: string): void {
    const isSeen = this.listeners.size > 0;
    showToast("error", isSeen ? sentence : `${this.matchName}: ${sentence}`);
  }
}

const savers = new Map<string, PredictionSaver>();

/** The one saver of a member's prediction of a match. */
export function predictionSaver(userId: string, matchId: string): PredictionSaver {
  const key = `${userId} ${matchId}`;
  const saver = savers.get(key) ?? new PredictionSaver(userId, matchId);
  savers.set(key, saver);
  return saver;
}

registerUnsavedWork({
  onHidden: () => {
    for (const saver of savers.values()) {
      saver.hide();
    }
  },
  onOnline: () => {
    for (const saver of savers.values()) {
      if (saver.read().refused !== null) {
        saver.retry();
      }
    }
  },
  drop: () => {
    for (const saver of savers.values()) {
      saver.drop();
    }
    savers.clear();
  },
});
