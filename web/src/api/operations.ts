import type { paths as ServerPaths } from "@/api/schema.gen";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** The addresses that know `Verb`. */
export type PathOf<Verb extends Method, Paths = ServerPaths> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Verb, { responses: unknown }> ? Path : never;
}[keyof Paths];

/** What the description says of `Verb` at an address. */
export type OperationOf<Verb extends Method, Path extends keyof Paths, Paths = ServerPaths> =
  Paths[Path] extends Record<Verb, infer Operation> ? Operation : never;

/** The envelope's data in the successful answer of an operation. */
export type DataOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 201)]: Responses[Status] extends {
        content: { "application/json": { data: infer Data } };
      }
        ? Data
        : never;
    }[keyof Responses & (200 | 201)]
  : never;

type JsonOf<Content> = [Content] extends [{ content: { "application/json": infer Body } }]
  ? Body
  : null;

/** What a call sends; null, where there is nothing, or where all of it may be left out. */
export type BodyOf<Operation> = Operation extends { requestBody: infer Content }
  ? JsonOf<Content>
  : Operation extends { requestBody?: infer Content }
    ? null | ([NonNullable<Content>] extends [never] ? null : JsonOf<NonNullable<Content>>)
    : null;

interface Multipart<Body> {
  requestBody: { content: { "multipart/form-data": Body } };
}

/** The addresses that take a form with files. */
export type FormPath<Paths = ServerPaths> = {
  [Path in keyof Paths]: Paths[Path] extends { post: Multipart<unknown> } ? Path : never;
}[keyof Paths];

/** A form's fields. The description writes a file as a string of bytes; here it is a file. */
export type FormOf<Operation> =
  Operation extends Multipart<infer Body>
    ? { [Name in keyof Body]: Body[Name] extends string | undefined ? Body[Name] | File : never }
    : never;

type InPathOf<Operation> = Operation extends { parameters: { path: infer InPath extends object } }
  ? { inPath: InPath }
  : { inPath?: never };

/** A value that is undefined is left out of the address; null has no way into it. */
type Sent<Query> = { [Name in keyof Query]: Exclude<Query[Name], null> | undefined };

type InQueryOf<Operation> = Operation extends { parameters: { query: infer Query extends object } }
  ? { inQuery: Sent<Query> }
  : Operation extends { parameters: { query?: infer Query extends object } }
    ? { inQuery?: Sent<Query> }
    : { inQuery?: never };

/** What an operation's address needs: the values of its `{names}`, and of its query. */
export type AddressOf<Operation> = InPathOf<Operation> & InQueryOf<Operation>;

/** The last argument of a call: needed where the address needs something. */
export type Last<Options> = object extends Options ? [options?: Options] : [options: Options];
