import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { buttonClasses } from "@/components/button";
import { Field } from "@/components/field";

interface FilePickerProps {
  label: string;
  icon: LucideIcon;
  /** What the empty tile and, once something is picked, the link below it say. */
  texts: { choose: string; change: string };
  /** The kinds of file that the browser offers; what comes back may still be another. */
  accept: string;
  error: string | undefined;
  hint: ReactNode;
  disabled?: boolean;
  /** What is picked, as it looks; null while nothing is. */
  preview: ReactNode;
  /** Further ways to the file, below the tile. */
  children?: ReactNode;
  /** Hears the picked file, or null when the picker was left without one. */
  onPick: (file: File | null) => void;
}

/** A tile that opens the phone's file picker and shows what was picked. */
export function FilePicker({
  label,
  icon: Icon,
  texts,
  accept,
  error,
  hint,
  disabled = false,
  preview,
  children,
  onPick,
}: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  useLeftWithoutFile(input, onPick);
  return (
    <Field label={label} error={error} hint={hint} className="file-picker">
      {(control) => (
        <>
          {preview ? <div className="file-tile">{preview}</div> : null}
          <div className={preview ? `${buttonClasses("secondary")} file-change` : "file-tile"}>
            {preview ? null : <Icon aria-hidden="true" />}
            <span>{preview ? texts.change : texts.choose}</span>
            <input
              {...control}
              ref={input}
              type="file"
              accept={accept}
              disabled={disabled}
              onChange={({ currentTarget }) => {
                const [file = null] = currentTarget.files ?? [];
                // Emptied, so that picking the same file again is heard.
                currentTarget.value = "";
                onPick(file);
              }}
            />
          </div>
          {children}
        </>
      )}
    </Field>
  );
}

/** The browser says `cancel` when the picker is closed without a choice. */
function useLeftWithoutFile(
  input: React.RefObject<HTMLInputElement | null>,
  onPick: (file: null) => void,
): void {
  const latest = useRef(onPick);
  useEffect(() => {
    latest.current = onPick;
  });
  useEffect(() => {
    const element = input.current;
    const tell = () => latest.current(null);
    element?.addEventListener("cancel", tell);
    return () => element?.removeEventListener("cancel", tell);
  }, [input]);
}
