import { OPERATOR_VIEWS } from "@/lib/device/operator-tab";

/** A value in the browser's storage: the same in every tab, null if absent or invalid. */
interface StoredValue<Value> {
  read: () => Value | null;
  write: (value: Value) => void;
  clear: () => void;
  subscribe: (listener: () => void) => () => void;
}

/**
 * How long a value is stored: until it is cleared, through reloads of this tab only, or until the
 * page is left, for a secret that may never be written down.
 */
type Lasts = "for-good" | "for-this-tab" | "for-this-page";

/** Drops unsaved values, one function per stored value. */
const unsaved = new Map<string, () => void>();

/**
 * Store a value under `key`; `parse` returns null for invalid data.
 *
 * `read` returns the same object until the stored text changes, as useSyncExternalStore requires.
 * Writing never throws: if storage is full or forbidden the value lives as long as the page. A
 * member's values end with their session, on whatever they are stored.
 */
export function storedValue<Value>(
  key: string,
  parse: (stored: unknown) => Value | null,
  lasts: Lasts = "for-good",
): StoredValue<Value> {
  const listeners = new Set<() => void>();
  let lastText: string | null = null;
  let lastValue: Value | null = null;
  let unsavedText: string | null = null;

  const readText = () => unsavedText ?? textUnder(key, lasts);
  const announce = () => {
    for (const listener of listeners) {
      listener();
    }
  };
  unsaved.set(key, () => {
    unsavedText = null;
    announce();
  });
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) {
      unsavedText = null;
      announce();
    }
  };

  return {
    read() {
      const text = readText();
      if (text !== lastText) {
        lastText = text;
        lastValue = text === null ? null : parseText(text, parse);
      }
      return lastValue;
    },
    write(value) {
      const text = JSON.stringify(value);
      unsavedText = saveText(key, text, lasts) ? null : text;
      announce();
    },
    clear() {
      unsavedText = null;
      saveText(key, null, lasts);
      announce();
    },
    subscribe(listener) {
      if (listeners.size === 0) {
        window.addEventListener("storage", onStorage);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          window.removeEventListener("storage", onStorage);
        }
      };
    },
  };
}

/**
 * Not member data: appearance, data use and installation belong to the phone, and the back office's
 * data to an operator.
 */
const KEPT_ON_THE_DEVICE = [
  "theme",
  "low-data",
  "first-use",
  "install-rests",
  "push-rests",
  OPERATOR_VIEWS,
];

/**
 * Remove a member's stored data, except the keys in `kept`: cart, drafts, attempts.
 *
 * A key counts as member data unless it is listed here, so that a new one is never left behind.
 */
export function clearMemberData(kept: readonly string[] = []): void {
  const stays = [...KEPT_ON_THE_DEVICE, ...kept];
  try {
    for (const key of Object.keys(localStorage)) {
      if (!stays.includes(key)) {
        localStorage.removeItem(key);
      }
    }
  } catch {
    // Storage is forbidden here, so nothing was stored in it.
  }
  clearTabData(stays);
}

/** Remove this tab's data of a member, after another tab has signed them out. */
export function clearTabData(kept: readonly string[] = KEPT_ON_THE_DEVICE): void {
  try {
    sessionStorage.clear();
  } catch {
    // As above.
  }
  for (const [key, forget] of unsaved) {
    if (!kept.includes(key)) {
      forget();
    }
  }
}

function areaFor(lasts: Lasts): Storage | null {
  if (lasts === "for-this-page") {
    return null;
  }
  return lasts === "for-good" ? localStorage : sessionStorage;
}

function textUnder(key: string, lasts: Lasts): string | null {
  try {
    return areaFor(lasts)?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

function saveText(key: string, text: string | null, lasts: Lasts): boolean {
  try {
    const area = areaFor(lasts);
    if (text === null) {
      area?.removeItem(key);
    } else {
      area?.setItem(key, text);
    }
    return area !== null;
  } catch {
    return false;
  }
}

function parseText<Value>(text: string, parse: (stored: unknown) => Value | null): Value | null {
  try {
    return parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Return whether a parsed value is an object with readable fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
