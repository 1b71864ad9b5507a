import "@/components/modal.css";
import { X } from "lucide-react";
import {
  type FormEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from "react";
import { createPortal } from "react-dom";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { openDialog } from "@/lib/ui/overlays";

const FIRST_FOCUS = ".modal-content :is(input, [data-first-focus])";

export interface ModalDialogProps {
  header: ReactNode;
  content: ReactNode;
  classes?: string;
  /** Header and footer are hidden while loading. */
  loading?: boolean;
  footer?: boolean;
  onClose: () => void;
  /** Without it the footer has only Close. */
  onSubmit?: () => void;
  /** The submit button's text; the generic modal has 'Save changes'. */
  submitText?: string;
  /** The submission is in progress: the submit button shows a spinner. */
  submitting?: boolean;
  /** Work in progress must not be left by accident: only the content can close the modal. */
  locked?: boolean;
  /** Every change of an input in the content. */
  onInput?: (event: FormEvent) => void;
}

/**
 * The generic modal (spec 2) on the native dialog: focus stays inside, Escape and Back close.
 *
 * It is a portal on the body, so that one modal can open another: forms cannot be nested. It opens
 * with the focus in its first input, or on the element marked `data-first-focus`.
 */
export function ModalDialog({
  classes = "",
  loading = false,
  locked = false,
  ...props
}: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = locked ? null : props.onClose;
  useModalDialog(dialog, close);
  return createPortal(
    <dialog
      ref={dialog}
      className={`modal ${classes}`}
      aria-labelledby={loading ? undefined : titleId}
      aria-label={loading ? "Loading" : undefined}
      aria-busy={loading || undefined}
      closedby={locked ? "none" : "closerequest"}
      onCancel={(event) => answerEscape(event, close)}
    >
      <ModalForm {...props} titleId={titleId} loading={loading} locked={locked} />
    </dialog>,
    document.body,
  );
}

function ModalForm({
  titleId,
  header,
  content,
  loading = false,
  footer = true,
  onClose,
  onSubmit,
  submitText = "Save changes",
  submitting = false,
  locked = false,
  onInput,
}: Omit<ModalDialogProps, "classes"> & { titleId: string }) {
  return (
    <form
      className="modal-body"
      noValidate
      onInput={onInput}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onSubmit?.();
      }}
    >
      {loading ? null : (
        <ModalHeader titleId={titleId} header={header} onClose={locked ? null : onClose} />
      )}
      <div className="modal-content">{loading ? <Spinner label="Loading" /> : content}</div>
      {footer && !loading ? (
        <ModalFooter
          submitText={onSubmit ? submitText : null}
          submitting={submitting}
          onClose={onClose}
        />
      ) : null}
    </form>
  );
}

interface ModalHeaderProps {
  titleId: string;
  header: ReactNode;
  onClose: (() => void) | null;
}

function ModalHeader({ titleId, header, onClose }: ModalHeaderProps) {
  return (
    <header className="modal-header">
      <h2 id={titleId}>{header}</h2>
      {onClose ? (
        <button type="button" className="icon-button" aria-label="Close dialog" onClick={onClose}>
          <X aria-hidden="true" />
        </button>
      ) : null}
    </header>
  );
}

interface ModalFooterProps {
  submitText: string | null;
  submitting: boolean;
  onClose: () => void;
}

function ModalFooter({ submitText, submitting, onClose }: ModalFooterProps) {
  return (
    <footer className="modal-footer">
      <Button variant="secondary" onClick={onClose}>
        Close
      </Button>
      {submitText === null ? null : (
        <Button type="submit" busy={submitting}>
          {submitText}
        </Button>
      )}
    </footer>
  );
}

/** Close on Escape; a cancelled file picker fires an event of the same name. */
function answerEscape(event: SyntheticEvent, onClose: (() => void) | null): void {
  if (event.target === event.currentTarget) {
    event.preventDefault();
    event.stopPropagation();
    onClose?.();
  }
}

function useModalDialog(
  dialog: React.RefObject<HTMLDialogElement | null>,
  onClose: (() => void) | null,
): void {
  const newest = useRef(onClose);
  newest.current = onClose;
  useEffect(() => {
    const element = dialog.current;
    if (element === null) {
      return;
    }
    const close = openDialog(element, () => newest.current?.());
    element.querySelector<HTMLElement>(FIRST_FOCUS)?.focus();
    return close;
  }, [dialog]);
}
