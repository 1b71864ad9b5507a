import { execFileSync } from "node:child_process";
import path from "node:path";

const READ_BANK = `
import json
from api.games.questions.rules.reading import read_files
from api.games.questions.service.importing import shipped_bank
entries = read_files(shipped_bank()).entries
print(json.dumps({
    entry.question: [entry.options[entry.right_option], entry.explanation] for entry in entries
}))
`;

let bank: Record<string, [string, string]> | null = null;

function readBank(): Record<string, [right: string, explanation: string]> {
  bank ??= JSON.parse(
    execFileSync(path.resolve("../.venv/bin/python"), ["-c", READ_BANK], {
      cwd: "..",
      encoding: "utf8",
    }),
  ) as Record<string, [string, string]>;
  return bank;
}

/** The right answer of a question, from the bank that the demo was filled with. */
export function rightAnswer(question: string): string {
  const entry = readBank()[question];
  if (entry === undefined) {
    throw new Error(`not in the bank: ${question}`);
  }
  return entry[0];
}

/** Every question and explanation of the bank: browsers must not receive any of them early. */
export function bankTexts(): string[] {
  return Object.entries(readBank()).flatMap(([question, [, explanation]]) => [
    question,
    explanation,
  ]);
}
