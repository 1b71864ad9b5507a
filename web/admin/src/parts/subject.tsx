import { Link } from "react-router-dom";
import type { Reading, RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { labelOf } from "~/lib/words";
import { LongWords } from "~/parts/long-words";

/** The subject of an id, and its name. */
export type Subject = RowOf<"GET /api/v1/admin/audit">["subjects"][number];

interface Page {
  call: Reading;
  address: (subject: Subject) => string;
}

/** The screens of single subjects. */
const PAGES: Record<string, Page> = {
  member: {
    call: "GET /api/v1/admin/members/{user_id}",
    address: ({ id }) => `/members/${id}`,
  },
  order: {
    call: "GET /api/v1/admin/orders/{order}",
    address: ({ name }) => `/orders/${name}`,
  },
  product: {
    call: "GET /api/v1/admin/products/{product_id}",
    address: ({ id }) => `/products/${id}`,
  },
  article: {
    call: "GET /api/v1/admin/articles/{article_id}",
    address: ({ id }) => `/news/${id}`,
  },
};

/** A subject's name, linked to its screen if that exists and may be read. */
export function SubjectName({ subject }: { subject: Subject }) {
  const page = PAGES[subject.type];
  return page === undefined ? (
    <LongWords text={nameOf(subject)} />
  ) : (
    <SubjectLink subject={subject} page={page} />
  );
}

function SubjectLink({ subject, page }: { subject: Subject; page: Page }) {
  const may = useMay(page.call);
  const name = <LongWords text={nameOf(subject)} />;
  return may ? <Link to={page.address(subject)}>{name}</Link> : name;
}

/** A proposal is named after its kind. */
function nameOf({ type, name }: Subject): string {
  return type === "approval" ? labelOf(name) : name;
}

/** The subject of an action. */
export interface Target {
  targetType: string;
  targetId: string;
  subjects: readonly Subject[];
}

/** The subject of an action as text. */
export function targetText(target: Target): string {
  const subject = subjectOf(target);
  const name = subject === undefined ? idOf(target) : nameOf(subject);
  return `${labelOf(target.targetType)} ${name}`.trim();
}

/** The subject of an action: its kind, and its name or else its id. */
export function TargetName({ target }: { target: Target }) {
  const subject = subjectOf(target);
  return (
    <>
      {labelOf(target.targetType)}{" "}
      {subject === undefined ? idOf(target) : <SubjectName subject={subject} />}
    </>
  );
}

/** For singletons, such as the settings, the kind is enough. */
function idOf({ targetType, targetId }: Target): string {
  return targetId === targetType ? "" : targetId;
}

function subjectOf({ targetId, subjects }: Target): Subject | undefined {
  return subjects.find(({ id }) => id === targetId);
}
