import { useSyncExternalStore } from "react";
import { storedValue } from "@/lib/device/storage";

/** Moments with sound and vibration. */
export type FeltMoment = "right" | "wrong" | "promotion";

/** Whether the member wants sounds and vibration; see `isWanted` for the default. */
export const soundChoice = storedValue<boolean>("sound", readBoolean);
export const vibrationChoice = storedValue<boolean>("vibration", readBoolean);

/** Milliseconds on, off, on. */
const SHAKES: Record<FeltMoment, number[]> = {
  right: [20],
  wrong: [40, 40, 40],
  promotion: [200],
};

/** Consecutive tones in hertz. */
const TONES: Record<FeltMoment, number[]> = {
  right: [660, 880],
  wrong: [220, 165],
  promotion: [523, 659, 784, 1047],
};
const TONE_SECONDS = 0.12;
const LOUDNESS = 0.12;
/** Fade in and out: an abrupt edge would click. */
const EDGE_SECONDS = 0.015;
const SILENCE = 0.0001;

let audio: AudioContext | null = null;

/** Play the sound and vibration of a moment, as the member chose; nothing in a hidden tab. */
export function playFeedback(moment: FeltMoment): void {
  if (document.visibilityState === "hidden") {
    return;
  }
  if (isWanted(soundChoice.read())) {
    void play(TONES[moment]).catch(() => undefined); // a browser may require a tap before it
  }
  if (isWanted(vibrationChoice.read()) && canVibrate() && !wantsStillness()) {
    navigator.vibrate(SHAKES[moment]);
  }
}

/** Whether this device can vibrate. */
export function canVibrate(): boolean {
  return typeof navigator.vibrate === "function";
}

/** Whether the device is set to reduced motion: then nothing vibrates. */
export function wantsStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Subscribe a component to one of the choices. */
export function useFeedbackChoice({ subscribe, read }: typeof soundChoice): boolean {
  return isWanted(useSyncExternalStore(subscribe, read));
}

/** On until the member chooses otherwise; off while the device is set to reduced motion. */
function isWanted(choice: boolean | null): boolean {
  return choice ?? !wantsStillness();
}

async function play(tones: readonly number[]): Promise<void> {
  audio ??= new AudioContext();
  const { currentTime, state } = audio;
  if (state === "suspended") {
    await audio.resume();
  }
  for (const [index, hertz] of tones.entries()) {
    playTone(audio, hertz, currentTime + index * TONE_SECONDS);
  }
}

function playTone(context: AudioContext, hertz: number, startsAt: number): void {
  const endsAt = startsAt + TONE_SECONDS;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(SILENCE, startsAt);
  volume.gain.exponentialRampToValueAtTime(LOUDNESS, startsAt + EDGE_SECONDS);
  volume.gain.exponentialRampToValueAtTime(SILENCE, endsAt);
  tone.connect(volume).connect(context.destination);
  tone.start(startsAt);
  tone.stop(endsAt);
}

function readBoolean(stored: unknown): boolean | null {
  return typeof stored === "boolean" ? stored : null;
}
