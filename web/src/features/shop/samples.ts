import type { CartItem } from "@/lib/session/cart-store";

type Sample = Omit<CartItem, "quantity">;

function sample(number: number, name: string, price: number, description: string): Sample {
  const picture = `/samples/${number}.svg`;
  return {
    id: String(number),
    name,
    price,
    description,
    image: picture,
    thumbnail: picture,
    star: 8,
    sample: true,
  };
}

/** The detail page's own six products, priced in dollars; the shop does not sell them (B-30). */
export const sampleProducts: readonly Sample[] = [
  sample(1, "Terrace Cap", 29.99, "A six-panel cap for the sunny side of the stand."),
  sample(2, "Training Jersey", 49.99, "Light cloth that dries before the second half."),
  sample(3, "Matchday Scarf", 19.99, "Knitted in two colours, long enough to hold up high."),
  sample(4, "Match Ball", 89.69, "Thirty-two panels, full size, for grass and sand."),
  sample(5, "Away Jacket", 72.99, "Keeps the rain out on the road."),
  sample(6, "Kit Bag", 43.19, "Room for boots, bottle and a change of clothes."),
];
