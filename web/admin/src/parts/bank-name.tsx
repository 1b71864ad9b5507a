import { useMay } from "~/api/operator";
import { useAnswer } from "~/api/queries";

const BANKS = "GET /api/v1/admin/banks";

/** A bank's name; its code while the name is not loaded or may not be read. */
export function BankName({ code }: { code: string }) {
  const { data } = useAnswer(BANKS, {}, { enabled: useMay(BANKS) });
  return data?.rows.find((bank) => bank.code === code)?.name ?? code;
}
