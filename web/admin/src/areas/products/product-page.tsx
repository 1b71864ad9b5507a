import "~/areas/products/products.css";
import { ImageUp } from "lucide-react";
import { useParams } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ProductPicture } from "@/components/product-picture";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { ask } from "~/api/client";
import { useAnswer } from "~/api/queries";
import { PRODUCT_HINTS, PRODUCT_LABELS, type Product, stateOf } from "~/areas/products/product";
import { Sizes } from "~/areas/products/sizes";
import { Action } from "~/parts/action";
import { ResourceForm } from "~/parts/resource-form";
import { StateBadge } from "~/parts/state-badge";

const CALL = "GET /api/v1/admin/products/{product_id}";
const PICTURE_PX = 320;

/** A product: description, picture, sizes and stock. */
export default function ProductPage() {
  const { product = "" } = useParams();
  const asked = useAnswer(CALL, { inPath: { product_id: product } });
  return (
    <Loaded query={asked} pending={<ScreenSkeleton />}>
      {(found) => (
        <div className="screen">
          <div className="office-columns">
            <Panel title={found.name} action={<StateBadge state={stateOf(found)} />}>
              <ResourceForm
                key={found.id}
                call="PATCH /api/v1/admin/products/{product_id}"
                inPath={{ product_id: found.id }}
                current={found}
                reread={() => ask(CALL, { inPath: { product_id: found.id } })}
                labels={PRODUCT_LABELS}
                hints={PRODUCT_HINTS}
              />
            </Panel>
            <Picture product={found} />
          </div>
          <Sizes product={found} />
        </div>
      )}
    </Loaded>
  );
}

function Picture({ product: { id, image } }: { product: Product }) {
  return (
    <Panel title="Picture">
      <div className="present-picture">
        <ProductPicture key={image} src={image} size={PICTURE_PX} eager={true} />
      </div>
      <div className="buttons">
        <Action
          call="POST /api/v1/admin/products/{product_id}/picture"
          inPath={{ product_id: id }}
          text="Upload picture"
          icon={<ImageUp aria-hidden="true" />}
          labels={{ file: "Picture" }}
          hints={{ file: "JPEG, PNG or WebP, at most 2 MiB" }}
        />
      </div>
    </Panel>
  );
}
