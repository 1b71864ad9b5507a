import type {
  AddressOf,
  DataOf,
  FormOf,
  BodyOf as JsonBodyOf,
  OperationOf,
} from "@/api/operations";
import { CALLS } from "~/api/calls.gen";
import type { CallFacts } from "~/lib/facts";

/** The calls of the back office, as `VERB /path`. */
export type Call = keyof typeof CALLS;

type Verb = "get" | "post" | "put" | "patch" | "delete";
type VerbOf<C extends Call> = C extends `${infer V} ${string}`
  ? Extract<Lowercase<V>, Verb>
  : never;
type PathOf<C extends Call> = C extends `${string} ${infer Path}` ? Path : never;

/** The OpenAPI description of a call. */
export type Described<C extends Call> =
  PathOf<C> extends infer Path
    ? Path extends keyof import("@/api/schema.gen").paths
      ? OperationOf<VerbOf<C>, Path>
      : never
    : never;

/** The calls that read. */
export type Reading = Extract<Call, `GET ${string}`>;
/** The calls that write. */
export type Writing = Exclude<Call, Reading>;

/** The data in a call's response. */
export type ResponseOf<C extends Call> = DataOf<Described<C>>;

/** A row of a list call. */
export type RowOf<C extends Call> =
  ResponseOf<C> extends { rows: (infer Row)[] } ? Row & object : never;

/** The calls that list rows. */
export type Listing = { [C in Reading]: RowOf<C> extends never ? never : C }[Reading];

/** The body of a call: JSON, or the fields of a multipart form. */
export type BodyOf<C extends Call> =
  JsonBodyOf<Described<C>> extends null ? FormOf<Described<C>> : JsonBodyOf<Described<C>>;

/** A field of a call's body. */
export type FieldOf<C extends Call> = keyof BodyOf<C> & string;

/** The values of the `{names}` in a call's address. */
export type InPathOf<C extends Call> =
  AddressOf<Described<C>> extends { inPath: infer InPath } ? InPath : undefined;

/** The server's metadata for `call`. */
export function factsOf(call: Call): CallFacts {
  return CALLS[call];
}

/** A call's verb and address. */
export function splitCall(call: Call): [verb: string, path: string] {
  const space = call.indexOf(" ");
  return [call.slice(0, space), call.slice(space + 1)];
}
