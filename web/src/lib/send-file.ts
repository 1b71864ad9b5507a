/**
 * Hand a file and a text to the phone's sharing sheet.
 *
 * `cancelled`: the member has thought better of it, and needs no word. `no-way`: this browser does
 * not share files, or not now.
 */
export async function sendFile(
  file: File,
  text: string,
): Promise<"shared" | "cancelled" | "no-way"> {
  const shared = { files: [file], text };
  if (navigator.canShare?.({ files: [file] }) !== true) {
    return "no-way";
  }
  return send(shared);
}

/** Hand a text to the phone's sharing sheet; the answers are those of `sendFile`. */
export async function sendText(text: string): Promise<"shared" | "cancelled" | "no-way"> {
  return typeof navigator.share === "function" ? send({ text }) : "no-way";
}

async function send(shared: ShareData): Promise<"shared" | "cancelled" | "no-way"> {
  try {
    await navigator.share(shared);
    return "shared";
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError" ? "cancelled" : "no-way";
  }
}
