import type { VisitorAnswer } from "../src/lib/format/visitor-answer.ts";
import { startCountdowns, startLiveScores } from "./match.ts";
import { answerQuestion, readKept } from "./question.ts";
import "./page.css";

const YEAR_SECONDS = 31_536_000;

rememberClub();
startCountdowns(document);
startLiveScores(document);
startQuestion();

/** Remember the visited club: `/welcome` shows it next time. */
function rememberClub(): void {
  const club = document.querySelector<HTMLMetaElement>('meta[name="club"]')?.content;
  if (club !== undefined) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser.
    document.cookie = `club=${club}; path=/welcome; max-age=${YEAR_SECONDS}; samesite=lax`;
  }
}

function startQuestion(): void {
  const part = document.querySelector<HTMLElement>("[data-question]");
  const id = part?.dataset["question"];
  if (part === null || id === undefined) {
    return;
  }
  const options = [...part.querySelectorAll<HTMLButtonElement>("[data-option]")];
  const result = part.querySelector<HTMLElement>(".question-result");
  const keep = part.querySelector<HTMLElement>(".question-keep");

  const show = ({ chosen, rightAnswer, explanation }: VisitorAnswer) => {
    const isRight = chosen === rightAnswer;
    for (const option of options) {
      const key = option.dataset["option"];
      option.disabled = true;
      option.classList.toggle("is-right", key === rightAnswer);
      option.classList.toggle("is-wrong", key === chosen && !isRight);
    }
    say(`${isRight ? "Right! +5 points." : "Not this time."} ${explanation}`);
    if (keep !== null) {
      keep.hidden = !isRight;
    }
  };
  const say = (text: string) => {
    if (result !== null) {
      result.textContent = text;
    }
  };

  const kept = readKept();
  if (kept?.question === id) {
    show(kept);
    return;
  }
  for (const option of options) {
    option.addEventListener("click", async () => {
      for (const each of options) {
        each.disabled = true;
      }
      const answer = await answerQuestion(id, option.dataset["option"] ?? "");
      if (answer !== null) {
        show(answer);
        return;
      }
      for (const each of options) {
        each.disabled = false;
      }
      say("Your answer did not reach us. Please try again.");
    });
  }
}
