import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { saveAsFile } from "@/lib/device/save-as-file";
import { showFailure } from "@/lib/ui/show-failure";
import type { InPathOf, Reading } from "~/api/calls";
import { downloadFile } from "~/api/client";
import { useMay } from "~/api/operator";

interface FileButtonProps<C extends Reading> {
  call: C;
  inPath: InPathOf<C> & object;
  text: string;
  /** The file's name without its extension, which follows from the content type. */
  name: string;
}

const ENDINGS: Record<string, string> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "text/csv": "csv",
};

/** Downloads a file and lets the browser save it; hidden without the right. */
export function FileButton<C extends Reading>({ call, inPath, text, name }: FileButtonProps<C>) {
  const [isBusy, setIsBusy] = useState(false);
  const may = useMay(call);
  if (!may) {
    return null;
  }
  const fetchFile = async () => {
    setIsBusy(true);
    try {
      const file = await downloadFile(call, { inPath });
      const type = file.type.split(";")[0] ?? "";
      saveAsFile(file, `${name}.${ENDINGS[type] ?? "bin"}`);
    } catch (error) {
      showFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button
      variant="secondary"
      icon={<Download aria-hidden="true" />}
      busy={isBusy}
      onClick={() => void fetchFile()}
    >
      {text}
    </Button>
  );
}
