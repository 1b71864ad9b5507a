/** The text of a message: tags are dropped, entities are decoded, nothing is executed. */
export function plainText(message: unknown): string {
  if (typeof message !== "string") {
    return "";
  }
  const parsed = new DOMParser().parseFromString(message, "text/html");
  return (parsed.body.textContent ?? "").replace(/\s+/g, " ").trim();
}
