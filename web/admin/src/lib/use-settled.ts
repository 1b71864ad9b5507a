import { useEffect, useState } from "react";

const PAUSE_MS = 400;

/** `value`, debounced, such as a text while it is typed. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
