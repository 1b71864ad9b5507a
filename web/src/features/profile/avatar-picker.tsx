import { Camera } from "lucide-react";
import { type ChangeEvent, type ComponentType, useId, useState } from "react";
import { Avatar } from "@/components/avatar";
import { Spinner } from "@/components/spinner";
import type { CropModalProps } from "@/features/profile/crop-modal";
import { checkPicture } from "@/features/profile/picture";
import { messageOf } from "@/lib/live/failures";
import { useObjectUrl } from "@/lib/ui/use-object-url";

const TOOL_DID_NOT_LOAD =
  "The tool for cropping did not load. Check your connection and try again.";

interface AvatarPickerProps {
  lastName: string;
  /** The address of the saved picture. */
  saved: string | null;
  /** The picture to upload with the next save. */
  picked: File | null;
  onPick: (picture: File) => void;
}

interface Cropping {
  file: File;
  Tool: ComponentType<CropModalProps>;
}

/** The member's picture at 126 px, and a button to change it. */
export function AvatarPicker({ lastName, saved, picked, onPick }: AvatarPickerProps) {
  const id = useId();
  const [cropping, setCropping] = useState<Cropping | null>(null);
  const [opening, setOpening] = useState(false);
  const [error, setError] = useState<string>();
  const shown = useObjectUrl(picked) ?? saved;
  const cropped = useObjectUrl(cropping?.file ?? null);
  const open = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (file === undefined) {
      return;
    }
    setOpening(true);
    setError(undefined);
    try {
      const [Tool] = await Promise.all([loadCropTool(), checkPicture(file)]);
      setCropping({ file, Tool });
    } catch (refusal) {
      setError(messageOf(refusal));
    }
    setOpening(false);
  };
  return (
    <div className="picture-picker">
      <Avatar lastName={lastName} src={shown} size="preview" alt="How others see you" />
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept="image/*"
        disabled={opening}
        aria-describedby={`${id}-note`}
        aria-invalid={error ? true : undefined}
        onClick={(event) => {
          // Choosing the same file again after Close fires an event.
          event.currentTarget.value = "";
        }}
        onChange={(event) => void open(event)}
      />
      <label htmlFor={id} className="button button-secondary">
        {opening ? <Spinner small /> : <Camera aria-hidden="true" />}
        {shown === null ? "Choose a picture" : "Change the picture"}
      </label>
      <p id={`${id}-note`} className={error ? "field-error" : "field-hint"} role="status">
        {error ?? noteOf(picked)}
      </p>
      {cropping && cropped ? (
        <cropping.Tool
          address={cropped}
          onClose={() => setCropping(null)}
          onCropped={(picture) => {
            setCropping(null);
            onPick(picture);
          }}
        />
      ) : null}
    </div>
  );
}

function noteOf(picked: File | null): string {
  return picked === null
    ? "A JPEG, PNG or WebP. We'll crop it to a small square."
    : "Looks good. Save to keep it.";
}

/** The crop tool loads only once a picture was chosen; a failed load keeps the form's input. */
async function loadCropTool(): Promise<ComponentType<CropModalProps>> {
  try {
    return (await import("@/features/profile/crop-modal")).CropModal;
  } catch (error) {
    throw new Error(TOOL_DID_NOT_LOAD, { cause: error });
  }
}
