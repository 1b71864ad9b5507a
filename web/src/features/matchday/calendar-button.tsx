import { useMutation } from "@tanstack/react-query";
import { CalendarPlus } from "lucide-react";
import { Button } from "@/components/button";
import { saveAsFile } from "@/lib/device/save-as-file";
import { showFailure } from "@/lib/ui/show-failure";

interface CalendarButtonProps {
  load: () => Promise<Blob>;
  fileName: string;
}

/** Saves a calendar file, which the phone's calendar opens. */
export function CalendarButton({ load, fileName }: CalendarButtonProps) {
  const save = useMutation({
    mutationFn: load,
    onSuccess: (file) => saveAsFile(file, fileName),
    onError: showFailure,
  });
  return (
    <Button
      variant="secondary"
      icon={<CalendarPlus aria-hidden="true" />}
      busy={save.isPending}
      onClick={() => save.mutate()}
    >
      Add to my calendar
    </Button>
  );
}
