import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { dialogOpened } from "@/lib/dialog-stack";

const FIRST_FOCUS = ".modal-content :is(input, [data-first-focus])";

interface ModalProps {
  header: ReactNode;
  content: ReactNode;
  classes?: string;
  /** Header and footer are hidden while loading. */
  loading?: boolean;
  footer?: boolean;
  onClose: () => void;
  /** Without it the footer has only Close. */
  onSubmit?: () => void;
  /** What the submit button says; the generic modal says 'Save changes'. */
  submitText?: string;
  /** What was submitted is on its way: the submit button turns. */
  submitting?: boolean;
}

/**
 * The generic modal (spec 2) on the browser's own dialog: focus stays inside, Escape closes.
 *
 * It hangs on the body, so that one modal may open another: forms cannot stand in forms. It opens
 * with the focus in its first input, or on what is marked `data-first-focus`.
 */
export function Modal({
  header,
  content,
  classes = "",
  loading = false,
  footer = true,
  onClose,
  onSubmit,
  submitText = "Save changes",
  submitting = false,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModalDialog(dialog);
  return createPortal(
    <dialog
      ref={dialog}
      className={`modal ${classes}`}
      aria-labelledby={loading ? undefined : titleId}
      aria-label={loading ? "Loading" : undefined}
      aria-busy={loading || undefined}
      onCancel={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <form
        className="modal-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          onSubmit?.();
        }}
      >
        {loading ? null : <ModalHeader titleId={titleId} header={header} onClose={onClose} />}
        <div className="modal-content">{loading ? <Spinner label="Loading" /> : content}</div>
        {footer && !loading ? (
          <footer className="modal-footer">
            <Button look="secondary" onClick={onClose}>
              Close
            </Button>
            {onSubmit ? (
              <Button type="submit" busy={submitting}>
                {submitText}
              </Button>
            ) : null}
          </footer>
        ) : null}
      </form>
    </dialog>,
    document.body,
  );
}

interface ModalHeaderProps {
  titleId: string;
  header: ReactNode;
  onClose: () => void;
}

function ModalHeader({ titleId, header, onClose }: ModalHeaderProps) {
  return (
    <header className="modal-header">
      <h2 id={titleId}>{header}</h2>
      <button type="button" className="icon-button" aria-label="Close dialog" onClick={onClose}>
        <X aria-hidden="true" />
      </button>
    </header>
  );
}

function useModalDialog(dialog: React.RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    if (element === null) {
      return;
    }
    const opener = document.activeElement;
    element.showModal();
    element.querySelector<HTMLElement>(FIRST_FOCUS)?.focus();
    const forget = dialogOpened(element);
    return () => {
      forget();
      element.close();
      returnFocus(opener);
    };
  }, [dialog]);
}

/** Give the focus back; an opener that is gone or inactive now leaves it to the page's content. */
function returnFocus(opener: Element | null): void {
  const canTakeIt =
    opener instanceof HTMLElement && opener.isConnected && !opener.matches(":disabled");
  const target = canTakeIt ? opener : document.getElementById("content");
  target?.focus({ preventScroll: true });
}
