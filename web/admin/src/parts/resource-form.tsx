import type { ReactNode } from "react";
import { Button } from "@/components/button";
import type { Writing } from "~/api/calls";
import { type ResourceFormSteps, useResourceForm } from "~/api/use-resource-form";
import { LeaveQuestion } from "~/parts/leave-question";
import { ResourceFields, type ResourceFieldsLayout } from "~/parts/resource-fields";

interface ResourceFormProps<C extends Writing> extends ResourceFormSteps<C>, ResourceFieldsLayout {
  submitText?: string;
  /** Content beside the save button. */
  beside?: ReactNode;
}

/**
 * A form on a page, with the fields that its call accepts.
 *
 * Asks before a link, Back or a reload discards unsaved changes.
 */
export function ResourceForm<C extends Writing>({
  submitText = "Save",
  beside,
  labels,
  hints,
  controls,
  ...steps
}: ResourceFormProps<C>) {
  const state = useResourceForm(steps);
  return (
    <form
      noValidate
      className="resource-form"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        state.submit();
      }}
    >
      <ResourceFields state={state} labels={labels} hints={hints} controls={controls} />
      <div className="buttons">
        <Button type="submit" busy={state.isPending}>
          {submitText}
        </Button>
        {beside}
      </div>
      <LeaveQuestion active={state.isDirty && !state.isPending} />
    </form>
  );
}
