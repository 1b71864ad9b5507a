/** A purchase to be paid from the wallet, which may have to be funded first. */
export interface Purchase {
  /** What is bought; it decides how the actions are worded. */
  kind: "order" | "plan";
  costNaira: number;
  /** Everything that the member agrees to by pressing; any difference is another purchase. */
  content: string;
  /** Whether it can be sent as it is; shows the member the fields to fill in. */
  isReady: () => boolean;
  send: () => void;
  /** Called with whether the wallet holds too little: then funding it is the only action. */
  onShortfall?: (isShort: boolean) => void;
}
