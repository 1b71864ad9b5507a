import { useState } from "react";
import { MemoryRouter } from "react-router-dom";
import { ArticleText } from "@/components/article-text";
import { Carousel } from "@/components/carousel";
import { NextTime } from "@/components/next-time";
import { OptionList, type OptionMark } from "@/components/option-list";
import { Pips } from "@/components/pips";
import { PlaceholderStories } from "@/components/placeholder-stories";
import { RankProgress } from "@/components/rank-progress";
import { ResultSign, ResultWords } from "@/components/result-sign";
import { StoryList } from "@/components/story-list";

const OPTIONS = ["Chelsea", "Ajax", "Enyimba", "Barcelona"].map((text, index) => ({
  key: "ABCD"[index] ?? "",
  text,
}));
const MARKS: Record<string, Record<string, OptionMark>> = {
  open: {},
  chosen: { A: "chosen" },
  judged: { A: "wrong", B: "right" },
};
const STORIES = [
  { slug: "derby", title: "Derby on Saturday", summary: "Gates open at three.", picture: null },
];
const AN_HOUR_MS = 3_600_000;

export function Games() {
  const [opensAt] = useState(() => new Date(Date.now() + AN_HOUR_MS).toISOString());
  return (
    <>
      <Pips value={2} total={5} />
      <Pips value={[true, false, true]} total={3} current={2} />
      {[5, 3, 1].map((correct) => (
        <div key={correct}>
          <ResultSign correct={correct} total={5} />
          <ResultWords correct={correct} total={5} />
        </div>
      ))}
      {Object.entries(MARKS).map(([name, marks]) => (
        <OptionList key={name} options={OPTIONS} marks={marks} locked={name === "judged"} />
      ))}
      <NextTime at={opensAt} label="The next questions open in" />
      <RankProgress me={{ battlePoints: 35, rankAt: 50, nextRank: "super-fan" }} />
      <RankProgress me={{ battlePoints: 300, rankAt: null, nextRank: null }} />
    </>
  );
}

export function Rows() {
  const items = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"].map((name) => (
    <li key={name}>
      <p className="card">{name}</p>
    </li>
  ));
  return (
    <>
      <Carousel label="A row by hand" freeDrag>
        {items}
      </Carousel>
      <PlaceholderStories />
      <MemoryRouter>
        <StoryList stories={STORIES} />
      </MemoryRouter>
      <ArticleText html="<h2>How to come</h2><p>By bus, or <strong>on foot</strong>.</p>" />
    </>
  );
}
