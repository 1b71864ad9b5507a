import { Image as ImageIcon, ScanLine } from "lucide-react";
import { Button } from "@/components/button";
import { FilePicker } from "@/features/moments/file-picker";
import { fitPicture, frameOf, PictureError } from "@/features/moments/pictures";
import { megabytes, PICTURE_KINDS } from "@/features/moments/rules";
import { useObjectUrl } from "@/lib/ui/use-object-url";

const NOT_A_PICTURE = "Please select a picture.";
const FRAME_AT_SECONDS = 1;

interface ThumbnailPickerProps {
  thumbnail: File | null;
  video: File | null;
  /** The position of the video's preview, in seconds. */
  seconds: () => number;
  error: string | undefined;
  /** A picture is being processed, which takes a slow phone a while. */
  preparing: boolean;
  onPreparing: (preparing: boolean) => void;
  onPick: (thumbnail: File | null, error?: string) => void;
}

/** The thumbnail of a moment: picked and scaled down, or a frame of the video. */
export function ThumbnailPicker({
  thumbnail,
  video,
  seconds,
  error,
  preparing,
  onPreparing,
  onPick,
}: ThumbnailPickerProps) {
  const address = useObjectUrl(thumbnail);

  const take = async (made: Promise<File>) => {
    onPreparing(true);
    try {
      onPick(await made);
    } catch (failure) {
      onPick(thumbnail, failure instanceof PictureError ? failure.message : NOT_A_PICTURE);
    } finally {
      onPreparing(false);
    }
  };
  const pick = (file: File | null) => {
    if (file?.type.startsWith("image/")) {
      void take(fitPicture(file));
    } else if (file !== null) {
      onPick(null, NOT_A_PICTURE);
    }
  };
  return (
    <FilePicker
      label="Thumbnail"
      icon={ImageIcon}
      texts={{ choose: "Choose a picture", change: "Change the picture" }}
      accept={PICTURE_KINDS}
      error={error}
      hint={hintOf(preparing, thumbnail)}
      disabled={preparing}
      preview={address ? <img src={address} alt="The thumbnail you picked" /> : null}
      onPick={pick}
    >
      {video === null ? null : (
        <Button
          variant="quiet"
          icon={<ScanLine aria-hidden="true" />}
          disabled={preparing}
          onClick={() => void take(frameOf(video, seconds() || FRAME_AT_SECONDS))}
        >
          From the video
        </Button>
      )}
    </FilePicker>
  );
}

function hintOf(preparing: boolean, thumbnail: File | null): string {
  if (preparing) {
    return "Preparing the picture...";
  }
  return thumbnail === null ? "Shown before the video plays." : megabytes(thumbnail.size);
}
