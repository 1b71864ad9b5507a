import "react-image-crop/dist/ReactCrop.css";
import { useRef, useState } from "react";
import { centerCrop, makeAspectCrop, type PercentCrop, ReactCrop } from "react-image-crop";
import { Modal } from "@/components/modal";
import { squareOf } from "@/features/profile/picture";
import { showFailure } from "@/lib/ui/show-failure";

const SMALLEST_SIDE_CSS_PIXELS = 48;
const HELP =
  "Move the circle with the arrow keys. Its corners and sides can be reached with Tab and moved the same way.";
const SPOKEN = {
  cropArea: HELP,
  nwDragHandle: "Move the upper left corner with the arrow keys.",
  nDragHandle: "Move the upper side with the arrow keys.",
  neDragHandle: "Move the upper right corner with the arrow keys.",
  eDragHandle: "Move the right side with the arrow keys.",
  seDragHandle: "Move the lower right corner with the arrow keys.",
  sDragHandle: "Move the lower side with the arrow keys.",
  swDragHandle: "Move the lower left corner with the arrow keys.",
  wDragHandle: "Move the left side with the arrow keys.",
};

export interface CropModalProps {
  /** The address of a picture that can be decoded. */
  address: string;
  onCropped: (picture: File) => void;
  onClose: () => void;
}

/** Crops a picture to a square, by finger, mouse or arrow keys. */
export function CropModal({ address, onCropped, onClose }: CropModalProps) {
  const image = useRef<HTMLImageElement>(null);
  const [area, setArea] = useState<PercentCrop>();
  const [cutting, setCutting] = useState(false);
  const cut = async () => {
    if (image.current === null || area === undefined) {
      return;
    }
    setCutting(true);
    try {
      onCropped(await squareOf(image.current, area));
    } catch (error) {
      showFailure(error);
      setCutting(false);
    }
  };
  return (
    <Modal
      header="Crop your picture"
      classes="crop-modal"
      submitText="Use picture"
      submitting={cutting}
      onClose={onClose}
      onSubmit={() => void cut()}
      content={
        <>
          <p className="small muted">
            Drag the circle over your face. Its corners make it smaller.
          </p>
          <div className="crop-stage">
            <ReactCrop
              aspect={1}
              circularCrop
              keepSelection
              minWidth={SMALLEST_SIDE_CSS_PIXELS}
              ariaLabels={SPOKEN}
              {...(area === undefined ? {} : { crop: area })}
              onChange={(_pixels, percent) => setArea(percent)}
            >
              <img
                ref={image}
                src={address}
                alt="What you chose"
                onLoad={(event) => setArea(largestSquare(event.currentTarget))}
              />
            </ReactCrop>
          </div>
        </>
      }
    />
  );
}

function largestSquare({ naturalWidth, naturalHeight }: HTMLImageElement): PercentCrop {
  const side =
    naturalWidth < naturalHeight
      ? ({ unit: "%", width: 100 } as const)
      : ({ unit: "%", height: 100 } as const);
  return centerCrop(
    makeAspectCrop(side, 1, naturalWidth, naturalHeight),
    naturalWidth,
    naturalHeight,
  );
}
