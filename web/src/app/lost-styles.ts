/** Style sheets of screens that failed to load. The bundler requests each only once. */
const lost = new Set<HTMLLinkElement>();

/** Record style sheets that fail to load from now on. */
export function followLostStyles(): void {
  window.addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === "stylesheet") {
        lost.add(target);
      }
    },
    true, // load errors do not bubble
  );
}

/**
 * Request every failed style sheet again: without it a screen would render unstyled.
 *
 * Throws:
 *   Error: one failed again; it is requested the next time.
 */
export async function fetchLostStyles(): Promise<void> {
  await Promise.all([...lost].map(fetchAgain));
}

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement;
  const [address = ""] = link.href.split("?");
  again.href = `${address}?again=${Date.now()}`; // a failed response may be cached
  return new Promise((resolve, reject) => {
    again.addEventListener("load", () => resolve());
    again.addEventListener("error", () => reject(new Error(`${address} did not come`)));
    lost.delete(link);
    link.replaceWith(again);
  });
}
