import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FeltMoment, playFeedback, soundChoice, vibrationChoice } from "@/lib/device/feedback";

const shaken: unknown[] = [];
const tones: number[] = [];

class FakeAudio {
  state = "running";
  currentTime = 1;
  destination = {};
  createOscillator() {
    const tone = {
      type: "",
      frequency: { value: 0 },
      connect: (next: unknown) => next,
      start: () => tones.push(tone.frequency.value),
      stop: () => undefined,
    };
    return tone;
  }
  createGain() {
    return {
      gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
      connect: (next: unknown) => next,
    };
  }
}

beforeEach(() => {
  shaken.length = 0;
  tones.length = 0;
  askFor({ stillness: false });
  vi.stubGlobal("AudioContext", FakeAudio);
  Object.defineProperty(navigator, "vibrate", {
    configurable: true,
    value: (pattern: unknown) => shaken.push(pattern),
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  soundChoice.clear();
  vibrationChoice.clear();
});

function askFor({ stillness }: { stillness: boolean }) {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) => ({ matches: stillness && query.includes("reduced-motion") }) as MediaQueryList,
  );
}

async function feel(moment: FeltMoment) {
  playFeedback(moment);
  await Promise.resolve();
  return { shaken: [...shaken], tones: tones.length };
}

test("both are on until they are switched off", async () => {
  expect(await feel("promotion")).toEqual({ shaken: [[200]], tones: 4 });

  soundChoice.write(false);
  vibrationChoice.write(false);

  expect(await feel("promotion")).toEqual({ shaken: [[200]], tones: 4 });
});

test("reduced motion switches both off until the member chooses", async () => {
  askFor({ stillness: true });

  expect(await feel("promotion")).toEqual({ shaken: [], tones: 0 });
});

test.each<[FeltMoment, number[], number]>([
  ["right", [20], 2],
  ["wrong", [40, 40, 40], 2],
  ["promotion", [200], 4],
])("%s shakes %j ms and has %i tones", async (moment, shakes, tones) => {
  soundChoice.write(true);
  vibrationChoice.write(true);

  expect(await feel(moment)).toEqual({ shaken: [shakes], tones });
});

test("each switch is for itself", async () => {
  vibrationChoice.write(false);

  expect(await feel("right")).toEqual({ shaken: [], tones: 2 });
});

test("a tab that nobody looks at is silent and still", async () => {
  soundChoice.write(true);
  vibrationChoice.write(true);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");

  expect(await feel("right")).toEqual({ shaken: [], tones: 0 });
});

test("with reduced motion nothing shakes, and tones are heard", async () => {
  soundChoice.write(true);
  vibrationChoice.write(true);
  askFor({ stillness: true });

  expect(await feel("wrong")).toEqual({ shaken: [], tones: 2 });
});
