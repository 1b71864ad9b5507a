import path from "node:path";
import type { Plugin } from "vite";

/** The two faces the first screen is set in; the naira and dotted letters follow when they occur. */
const FIRST_FONTS = /^(?:noto-sans|big-shoulders)-[\w-]{8}\.woff2$/;

/**
 * Preload the first fonts, and let the entry script hold back the first paint.
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
      handler(html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((file) =>
          FIRST_FONTS.test(path.basename(file)),
        );
        return {
          html: html.replace('<script type="module"', '<script type="module" blocking="render"'),
          tags: fonts.map((file) => ({
            tag: "link",
            attrs: {
              rel: "preload",
              as: "font",
              type: "font/woff2",
              crossorigin: "",
              href: `/${file}`,
            },
            injectTo: "head-prepend" as const,
          })),
        };
      },
    },
  };
}
