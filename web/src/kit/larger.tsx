import { useState } from "react";
import { MemoryRouter } from "react-router-dom";
import { ArticleText } from "@/components/article-text";
import { Button } from "@/components/button";
import { Carousel } from "@/components/carousel";
import { Modal } from "@/components/modal";
import { NextTime } from "@/components/next-time";
import { OptionList, type OptionMark } from "@/components/option-list";
import { Pips } from "@/components/pips";
import { PlaceholderStories } from "@/components/placeholder-stories";
import { SpinnerOverlay } from "@/components/spinner";
import { StoryList } from "@/components/story-list";
import { TextField } from "@/components/text-field";
import { showToast, type ToastKind } from "@/lib/toasts";

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
      {Object.entries(MARKS).map(([name, marks]) => (
        <OptionList key={name} options={OPTIONS} marks={marks} locked={name === "judged"} />
      ))}
      <NextTime at={opensAt} label="The next questions open in" />
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

const KINDS: ToastKind[] = ["success", "info", "error"];
type Dialog = "form" | "submitting" | "loading" | "overlay";
const DIALOGS: Dialog[] = ["form", "submitting", "loading", "overlay"];

export function Dialogs() {
  const [open, setOpen] = useState<Dialog | null>(null);
  return (
    <div className="wallet-actions">
      {DIALOGS.map((dialog) => (
        <Button key={dialog} look="secondary" onClick={() => setOpen(dialog)}>
          Dialog: {dialog}
        </Button>
      ))}
      {KINDS.map((kind) => (
        <Button key={kind} look="quiet" onClick={() => showToast(kind, `A toast of ${kind}.`)}>
          Toast: {kind}
        </Button>
      ))}
      {open === "overlay" ? <SpinnerOverlay label="Loading" /> : null}
      {open !== null && open !== "overlay" ? (
        <OpenDialog kind={open} onClose={() => setOpen(null)} />
      ) : null}
    </div>
  );
}

function OpenDialog({ kind, onClose }: { kind: Dialog; onClose: () => void }) {
  const [text, setText] = useState("");
  return (
    <Modal
      header="A dialog"
      loading={kind === "loading"}
      submitting={kind === "submitting"}
      onClose={onClose}
      onSubmit={onClose}
      content={<TextField label="A field" value={text} onChange={setText} />}
    />
  );
}
