import { type Dispatch, type SetStateAction, useRef, useState } from "react";
import { Modal } from "@/components/modal";
import {
  type Draft,
  hasFiles,
  isEmpty,
  type Refusal,
  uploadRefusal,
} from "@/features/moments/rules";
import { UploadForm } from "@/features/moments/upload-form";
import { UploadProgress } from "@/features/moments/upload-progress";
import { useUpload } from "@/features/moments/use-upload";
import { session } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";

const STILL_PREPARING = "The picture is still being prepared. One moment.";

interface UploadModalProps {
  /** The texts kept from an upload that the server refused. */
  draft: Draft;
  onChange: Dispatch<SetStateAction<Draft>>;
  /** The dialog closes; `isOver` means that the texts are no longer needed. */
  onClose: (isOver: boolean) => void;
}

/** 'Post Your Moment.': the form, then the progress of the upload. */
export function UploadModal({ draft, onChange, onClose }: UploadModalProps) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [preparing, setPreparing] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const { share, unsent, sending, send, cancel } = useUpload(onClose);

  const submit = () => {
    if (preparing) {
      showToast("info", STILL_PREPARING);
      return;
    }
    const found = uploadRefusal(draft, session.read());
    setRefusal(found);
    if (found !== null) {
      showToast("error", found.sentence);
      form.current?.querySelector<HTMLElement>(`[data-field="${found.field}"] input`)?.focus();
    } else if (hasFiles(draft)) {
      send(draft);
    }
  };
  return (
    <Modal
      header="Post Your Moment."
      submitText={unsent === "failed" ? "Retry" : "Upload"}
      locked={sending}
      footer={!sending}
      unsaved={!isEmpty(draft)}
      onClose={() => onClose(true)}
      onSubmit={submit}
      content={
        sending && hasFiles(draft) ? (
          <UploadProgress moment={draft} share={share} onCancel={cancel} />
        ) : (
          <UploadForm
            element={form}
            draft={draft}
            unsent={unsent}
            refusal={refusal}
            onChange={onChange}
            onRefuse={setRefusal}
            preparing={preparing}
            onPreparing={setPreparing}
          />
        )
      }
    />
  );
}
