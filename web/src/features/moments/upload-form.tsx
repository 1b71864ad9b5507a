import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef } from "react";
import { Field } from "@/components/field";
import { TextField } from "@/components/text-field";
import {
  type Draft,
  MAX_CONTENT_LENGTH,
  MAX_TITLE_LENGTH,
  type Refusal,
} from "@/features/moments/rules";
import { ThumbnailPicker } from "@/features/moments/thumbnail-picker";
import type { Unsent } from "@/features/moments/use-upload";
import { VideoPicker } from "@/features/moments/video-picker";
import { formatCount } from "@/lib/format/counts";

const UNSENT_SENTENCES: Record<Unsent, string> = {
  cancelled: "The upload was cancelled. What you picked is still here.",
  failed: "The upload did not get through. What you picked is still here: try again.",
};

interface UploadFormProps {
  element: RefObject<HTMLDivElement | null>;
  draft: Draft;
  unsent: Unsent | null;
  refusal: Refusal | null;
  onChange: Dispatch<SetStateAction<Draft>>;
  onRefuse: (refusal: Refusal | null) => void;
  preparing: boolean;
  onPreparing: (preparing: boolean) => void;
}

/** Title, content, thumbnail and video of a new moment. */
export function UploadForm({
  element,
  draft,
  unsent,
  refusal,
  onChange,
  onRefuse,
  preparing,
  onPreparing,
}: UploadFormProps) {
  const preview = useRef<HTMLVideoElement>(null);

  // A picture takes a while to process: text typed meanwhile is kept.
  const change = (changed: Partial<Draft>) => onChange((current) => ({ ...current, ...changed }));
  const pick = (field: "thumbnail" | "video") => (file: File | null, sentence?: string) => {
    change({ [field]: file });
    onRefuse(sentence === undefined ? null : { field, sentence });
  };
  const errorOf = (field: Refusal["field"]) =>
    refusal?.field === field ? refusal.sentence : undefined;
  return (
    <div ref={element} className="form">
      {unsent ? <UnsentNote key={unsent} sentence={UNSENT_SENTENCES[unsent]} /> : null}
      <div data-field="title">
        <TextField
          label="Title"
          value={draft.title}
          maxLength={MAX_TITLE_LENGTH}
          error={errorOf("title")}
          hint={counted(draft.title, MAX_TITLE_LENGTH)}
          required
          onChange={(title) => {
            change({ title });
            onRefuse(refusal?.field === "title" ? null : refusal);
          }}
        />
      </div>
      <Field label="Content" hint={counted(draft.content, MAX_CONTENT_LENGTH)}>
        {(control) => (
          <textarea
            {...control}
            className="input"
            rows={2}
            maxLength={MAX_CONTENT_LENGTH}
            value={draft.content}
            onChange={({ currentTarget }) => change({ content: currentTarget.value })}
          />
        )}
      </Field>
      <div className="upload-files">
        <div data-field="thumbnail">
          <ThumbnailPicker
            thumbnail={draft.thumbnail}
            video={draft.video}
            seconds={() => preview.current?.currentTime ?? 0}
            error={errorOf("thumbnail")}
            preparing={preparing}
            onPreparing={onPreparing}
            onPick={pick("thumbnail")}
          />
        </div>
        <div data-field="video">
          <VideoPicker
            video={draft.video}
            preview={preview}
            error={errorOf("video")}
            onPick={pick("video")}
          />
        </div>
      </div>
    </div>
  );
}

function counted(text: string, max: number): string {
  return `${formatCount(text.length)} of ${formatCount(max)} characters`;
}

/** Shows the result of the last try, and takes the focus from the progress bar. */
function UnsentNote({ sentence }: { sentence: string }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <p ref={note} tabIndex={-1} className="notice notice-warn">
      <span>{sentence}</span>
    </p>
  );
}
