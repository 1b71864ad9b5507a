/** The text of a message: tags are dropped, entities become letters, nothing of it is run. */
export function plainText(message: unknown): string {
  if (typeof message !== "string") {
    return "";
  }
  const parsed = new DOMParser().parseFromString(message, "text/html");
  return (parsed.body.textContent ?? "").replace(/\s+/g, " ").trim();
}
