import "@/components/product-picture.css";
import { Shirt } from "lucide-react";
import { useState } from "react";
import { useLowData } from "@/lib/device/low-data";

interface ProductPictureProps {
  src: string;
  /** The requested size in CSS pixels. */
  size: number;
  /** Load it eagerly, unless in data saver mode. */
  eager?: boolean;
}

/** A product's square picture; decoration beside the name, with a placeholder if it fails. */
export function ProductPicture({ src, size, eager = false }: ProductPictureProps) {
  const sparesData = useLowData();
  const [broken, setBroken] = useState(false);
  return (
    <span className="product-picture">
      {src && !broken ? (
        <img
          src={src}
          alt=""
          width={size}
          height={size}
          loading={eager && !sparesData ? "eager" : "lazy"}
          decoding="async"
          onError={() => setBroken(true)}
        />
      ) : (
        <Shirt aria-hidden="true" />
      )}
    </span>
  );
}
