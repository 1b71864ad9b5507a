/** What the server takes in a field of a form or of a filter. */
export interface FieldFacts {
  kind:
    | "text"
    | "integer"
    | "number"
    | "boolean"
    | "choice"
    | "day"
    | "moment"
    | "time"
    | "id"
    | "file"
    | "list"
    | "group";
  required?: true;
  /** Of a number its bounds, of a text its characters, of a list its length. */
  min?: number;
  max?: number;
  options?: readonly string[];
  of?: FieldFacts;
  fields?: Fields;
}

export type Fields = Readonly<Record<string, FieldFacts>>;

/** What the server says of a call: the right it wants, and what can be sent with it. */
export interface CallFacts {
  /** Null: every operator may. */
  right: string | null;
  /** It wants a code that was entered a moment ago. */
  fresh?: true;
  /** Its body is a form with files. */
  form?: true;
  query?: Fields;
  body?: Fields;
}
