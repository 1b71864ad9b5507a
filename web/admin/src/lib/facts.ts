/** What the server accepts in a form field or filter. */
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
  /** The bounds of a number, the characters of a text, or the length of a list. */
  min?: number;
  max?: number;
  options?: readonly string[];
  of?: FieldFacts;
  fields?: Fields;
}

export type Fields = Readonly<Record<string, FieldFacts>>;

/** The server's metadata of a call: the required right and the accepted fields. */
export interface CallFacts {
  /** Null: open to every operator. */
  right: string | null;
  /** Requires a code that was entered a moment before. */
  fresh?: true;
  /** The body is a multipart form. */
  form?: true;
  query?: Fields;
  body?: Fields;
}
