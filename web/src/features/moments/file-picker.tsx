import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { buttonClasses } from "@/components/button";
import { Field } from "@/components/field";

interface FilePickerProps {
  label: string;
  icon: LucideIcon;
  /** The texts of the empty tile and, once a file is picked, of the link below it. */
  texts: { choose: string; change: string };
  /** The accepted file types; browsers may still return another. */
  accept: string;
  error: string | undefined;
  hint: ReactNode;
  disabled?: boolean;
  /** A preview of the picked file; null without one. */
  preview: ReactNode;
  /** Other sources of a file, below the tile. */
  children?: ReactNode;
  /** Gets the picked file, or null if the picker was cancelled. */
  onPick: (file: File | null) => void;
}

/** A tile that opens the phone's file picker and previews the result. */
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
                // Reset, so that picking the same file again fires an event.
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

/** The browser fires `cancel` when the picker is closed without a choice. */
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
    const onCancel = () => latest.current(null);
    element?.addEventListener("cancel", onCancel);
    return () => element?.removeEventListener("cancel", onCancel);
  }, [input]);
}
