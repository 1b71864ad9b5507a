import { vi } from "vitest";

/** Stands in for leaving the page, which jsdom cannot. */
export const leaveTo = vi.fn<(path: string) => void>();
