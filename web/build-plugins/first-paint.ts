import type { Plugin } from "vite";

/**
 * Let the entry script hold back the first paint.
 *
 * The page is empty until the entry runs, so waiting costs nothing, and the member's own choice
 * of light or dark is in place before anything is painted.
 */
export function firstPaint(): Plugin {
  return {
    name: "first-paint",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html) =>
        html.replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  };
}
