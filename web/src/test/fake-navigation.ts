import { vi } from "vitest";

/** Replaces full page navigation, which jsdom lacks. */
export const leaveTo = vi.fn<(path: string) => void>();
