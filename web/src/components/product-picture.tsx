import { Shirt } from "lucide-react";
import { useState } from "react";

interface ProductPictureProps {
  src: string;
  /** Side in CSS pixels that the picture is asked for. */
  size: number;
  eager?: boolean;
}

/** A product's square picture; decoration beside the name, with a quiet stand-in when it fails. */
export function ProductPicture({ src, size, eager = false }: ProductPictureProps) {
  const [broken, setBroken] = useState(false);
  return (
    <span className="product-picture">
      {src && !broken ? (
        <img
          src={src}
          alt=""
          width={size}
          height={size}
          loading={eager ? "eager" : "lazy"}
          decoding="async"
          onError={() => setBroken(true)}
        />
      ) : (
        <Shirt aria-hidden="true" />
      )}
    </span>
  );
}
