import { type FormEvent, useRef, useState } from "react";
import { DiscardQuestion } from "@/components/discard-question";
import { ModalDialog, type ModalDialogProps } from "@/components/modal-dialog";

/** Inputs that are chosen from, not typed into. */
const CHOICES = ["checkbox", "radio", "range", "button", "submit"];

interface ModalProps extends Omit<ModalDialogProps, "onInput"> {
  /** Whether closing loses something; by default, whether anything was typed. */
  unsaved?: boolean;
}

/** The generic modal; it asks before unsaved input is lost, however it is closed. */
export function Modal({ unsaved, onClose, ...props }: ModalProps) {
  const [isAsking, setAsking] = useState(false);
  const typed = useRef(new Set<HTMLInputElement | HTMLTextAreaElement>());
  const note = ({ target }: FormEvent) => {
    if (isTypedInto(target)) {
      typed.current.add(target);
    }
  };
  const hasTyped = () =>
    [...typed.current].some(({ isConnected, value }) => isConnected && value !== "");
  const close = () => ((unsaved ?? hasTyped()) ? setAsking(true) : onClose());
  return (
    <>
      <ModalDialog {...props} onClose={close} onInput={note} />
      {isAsking ? (
        <DiscardQuestion
          onDiscard={() => {
            setAsking(false);
            onClose();
          }}
          onStay={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function isTypedInto(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !CHOICES.includes(target.type))
  );
}
