/**
 * Share a file and a text with the phone's sharing sheet.
 *
 * `cancelled`: the member closed the sheet, which needs no message. `no-way`: this browser cannot
 * share files, or not now.
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

/** Share a text with the phone's sharing sheet; results as of `sendFile`. */
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
