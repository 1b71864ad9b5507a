/** What a member is about to pay from the wallet, and may have to fund it for first. */
export interface Purchase {
  /** As it stands in "is missing for this ...". */
  kind: "order" | "plan";
  costNaira: number;
  /** All that the member agrees to by pressing; whatever differs is another purchase. */
  content: string;
  /** Whether it can be sent as it is; tells the member what has to be filled in. */
  isReady: () => boolean;
  send: () => void;
}
