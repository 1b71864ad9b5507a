import { type ReactNode, useEffect, useState } from "react";
import { Button, type ButtonVariant } from "@/components/button";
import { Modal } from "@/components/modal";
import { factsOf, type Writing } from "~/api/calls";
import { useMay } from "~/api/operator";
import { type ResourceFormSteps, useResourceForm } from "~/api/use-resource-form";
import { useWriteCall } from "~/api/use-write-call";
import { useFocusHeir } from "~/lib/use-focus-heir";
import { LeaveQuestion } from "~/parts/leave-question";
import { ResourceFields, type ResourceFieldsLayout } from "~/parts/resource-fields";

export interface ActionProps<C extends Writing> extends ResourceFormSteps<C>, ResourceFieldsLayout {
  /**
   * The action's name, used on the button and in the dialog.
   *
   * A name that begins with "New" creates something: the dialog is titled after it, and saves it.
   */
  text: string;
  /** The text of the button that opens the dialog, if it differs. */
  button?: string;
  /** The dialog's title, if the button's text is too short for one. */
  header?: string;
  variant?: ButtonVariant;
  icon?: ReactNode;
  /** An explanation above the fields; with it the dialog also opens without fields. */
  note?: ReactNode;
}

/**
 * A button that makes a writing call; hidden without the right.
 *
 * Fields to fill in are shown in a dialog.
 */
export function Action<C extends Writing>(props: ActionProps<C>) {
  if (!useMay(props.call)) {
    return null;
  }
  return props.note === undefined && !asksForSomething(props) ? (
    <DirectAction {...props} />
  ) : (
    <ConfirmedAction {...props} />
  );
}

function ConfirmedAction<C extends Writing>(props: ActionProps<C>) {
  const [isOpen, setIsOpen] = useState(false);
  const ref = useFocusHeir();
  const { variant = "secondary", icon, text, button = text } = props;
  return (
    <>
      <Button ref={ref} variant={variant} icon={icon} onClick={() => setIsOpen(true)}>
        {button}
      </Button>
      {isOpen ? <ActionDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function asksForSomething<C extends Writing>({ call, fields, fixed = {} }: ActionProps<C>) {
  const names =
    fields ?? Object.keys(factsOf(call).body ?? {}).filter((name) => name !== "version");
  return names.some((name) => !(name in fixed));
}

function DirectAction<C extends Writing>(props: ActionProps<C>) {
  const { call, inPath, fixed, current, onDone, text, icon, variant = "secondary" } = props;
  const ref = useFocusHeir();
  const { send, isPending } = useWriteCall(call, { onDone });
  const body = factsOf(call).body;
  const version = body?.["version"] === undefined ? {} : { version: current?.["version"] };
  const onClick = () =>
    send({
      inPath,
      body: body === undefined ? null : ({ ...version, ...fixed } as never),
    });
  return (
    <Button ref={ref} variant={variant} icon={icon} busy={isPending} onClick={onClick}>
      {text}
    </Button>
  );
}

/** The first field that is still to be filled in; prefilled ones need only a look. */
function firstEmptyField(form: HTMLElement | null): HTMLElement | undefined {
  const fields = form?.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    "input:not([type=checkbox], [type=file]), select, textarea",
  );
  return [...(fields ?? [])].find(({ value }) => value === "");
}

function ActionDialog<C extends Writing>({
  onClose,
  ...props
}: ActionProps<C> & { onClose: () => void }) {
  const { text, header = text, note, labels, hints, controls, onDone, ...steps } = props;
  const state = useResourceForm({
    ...steps,
    onDone: (outcome) => {
      onClose();
      onDone?.(outcome);
    },
  });
  const { form } = state;
  useEffect(() => firstEmptyField(form.current)?.focus(), [form]);
  return (
    <>
      <Modal
        header={header}
        submitText={text.startsWith("New ") ? "Save" : text}
        submitting={state.isPending}
        onSubmit={state.submit}
        unsaved={state.isDirty}
        onClose={onClose}
        content={
          <div className="form">
            {note === undefined ? null : <div className="muted">{note}</div>}
            <ResourceFields state={state} labels={labels} hints={hints} controls={controls} />
          </div>
        }
      />
      <LeaveQuestion active={state.isDirty && !state.isPending} />
    </>
  );
}
