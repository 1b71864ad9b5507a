import { execFileSync } from "node:child_process";
import path from "node:path";

const READ_BANK = `
import json
from api.questions import rules, service
entries = rules.read_files(service.shipped_bank()).entries
print(json.dumps({entry.question: entry.options[entry.right_option] for entry in entries}))
`;

let bank: Record<string, string> | null = null;

/** The right answer of a question, from the bank that the demo was filled with. */
export function rightAnswer(question: string): string {
  bank ??= JSON.parse(
    execFileSync(path.resolve("../.venv/bin/python"), ["-c", READ_BANK], {
      cwd: "..",
      encoding: "utf8",
    }),
  ) as Record<string, string>;
  const right = bank[question];
  if (right === undefined) {
    throw new Error(`not in the bank: ${question}`);
  }
  return right;
}
