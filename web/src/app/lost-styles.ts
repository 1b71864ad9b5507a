/** Style sheets of screens that did not come. The bundler asks for each only once. */
const lost = new Set<HTMLLinkElement>();

/** Note from now on which style sheets do not come. */
export function followLostStyles(): void {
  window.addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === "stylesheet") {
        lost.add(target);
      }
    },
    true, // what fails to load tells nobody above it
  );
}

/**
 * Ask again for every style sheet that did not come: without it a screen would stand there bare.
 *
 * Raises:
 *   Error: one is lost again; it is asked for the next time.
 */
export async function fetchLostStyles(): Promise<void> {
  await Promise.all([...lost].map(fetchAgain));
}

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement;
  const [address = ""] = link.href.split("?");
  again.href = `${address}?again=${Date.now()}`; // a failed answer may be remembered
  return new Promise((resolve, reject) => {
    again.addEventListener("load", () => resolve());
    again.addEventListener("error", () => reject(new Error(`${address} did not come`)));
    lost.delete(link);
    link.replaceWith(again);
  });
}
