import type { ReactNode } from "react";
import { BrandMark, Wordmark } from "@/components/brand-mark";
import { ToastRegion } from "@/components/toast-region";
import { Boards } from "@/kit/boards";
import { Buttons, Choices, Fields } from "@/kit/controls";
import { Dialogs } from "@/kit/dialogs";
import { Faces, Pictures, Signs } from "@/kit/faces";
import { Games, Rows } from "@/kit/larger";
import { Status } from "@/kit/status";

/** Every component in every state, one section for each kind. */
export function Components() {
  return (
    <main className="page">
      <h1>Parts</h1>
      <Section title="Brand">
        <BrandMark size={48} />
        <Wordmark />
      </Section>
      <Section title="Buttons">
        <Buttons />
      </Section>
      <Section title="Fields">
        <Fields />
      </Section>
      <Section title="Choices">
        <Choices />
      </Section>
      <Section title="Faces">
        <Faces />
      </Section>
      <Section title="Signs">
        <Signs />
      </Section>
      <Section title="Pictures">
        <Pictures />
      </Section>
      <Section title="Games">
        <Games />
      </Section>
      <Section title="Rows">
        <Rows />
      </Section>
      <Section title="Status">
        <Status />
      </Section>
      <Section title="Boards">
        <Boards />
      </Section>
      <Section title="Dialogs and toasts">
        <Dialogs />
      </Section>
      <ToastRegion />
    </main>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="form" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
