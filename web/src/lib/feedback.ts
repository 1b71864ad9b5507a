import { useSyncExternalStore } from "react";
import { storedValue } from "@/lib/storage";

/** What is told by ear and hand. */
export type FeltMoment = "right" | "wrong" | "promotion";

/** Whether the member wants tones, and whether the phone may shake: both are off until they say so. */
export const soundChoice = storedValue<boolean>("sound", readBoolean);
export const vibrationChoice = storedValue<boolean>("vibration", readBoolean);

/** Milliseconds on, off, on. */
const SHAKES: Record<FeltMoment, number[]> = {
  right: [20],
  wrong: [40, 40, 40],
  promotion: [200],
};

/** The tones one after the other, in hertz. */
const TONES: Record<FeltMoment, number[]> = {
  right: [660, 880],
  wrong: [220, 165],
  promotion: [523, 659, 784, 1047],
};
const TONE_SECONDS = 0.12;
const LOUDNESS = 0.12;
/** No tone begins or ends at once: that would click. */
const EDGE_SECONDS = 0.015;
const SILENCE = 0.0001;

let audio: AudioContext | null = null;

/** Let the member hear and feel a moment, as they chose; nothing in a tab that is not looked at. */
export function giveFeedback(moment: FeltMoment): void {
  if (document.visibilityState === "hidden") {
    return;
  }
  if (soundChoice.read() === true) {
    void play(TONES[moment]).catch(() => undefined); // a browser may want a tap before it
  }
  if (vibrationChoice.read() === true && canVibrate() && !wantsStillness()) {
    navigator.vibrate(SHAKES[moment]);
  }
}

/** Whether this device can shake at all. */
export function canVibrate(): boolean {
  return typeof navigator.vibrate === "function";
}

/** Whether the member asked their device for less motion: then nothing shakes. */
export function wantsStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Follow one of the choices in a component. */
export function useFeedbackChoice({ subscribe, read }: typeof soundChoice): boolean {
  return useSyncExternalStore(subscribe, read) === true;
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
