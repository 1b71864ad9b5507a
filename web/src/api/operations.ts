import type { paths as ServerPaths } from "@/api/schema.gen";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have `Verb`. */
export type PathOf<Verb extends Method, Paths = ServerPaths> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Verb, { responses: unknown }> ? Path : never;
}[keyof Paths];

/** The description of `Verb` at a path. */
export type OperationOf<Verb extends Method, Path extends keyof Paths, Paths = ServerPaths> =
  Paths[Path] extends Record<Verb, infer Operation> ? Operation : never;

/** The envelope's data in the successful response of an operation. */
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

/** The body of a call; null if there is none, or if all of it is optional. */
export type BodyOf<Operation> = Operation extends { requestBody: infer Content }
  ? JsonOf<Content>
  : Operation extends { requestBody?: infer Content }
    ? null | ([NonNullable<Content>] extends [never] ? null : JsonOf<NonNullable<Content>>)
    : null;

interface Multipart<Body> {
  requestBody: { content: { "multipart/form-data": Body } };
}

/** The paths that accept multipart forms. */
export type FormPath<Paths = ServerPaths> = {
  [Path in keyof Paths]: Paths[Path] extends { post: Multipart<unknown> } ? Path : never;
}[keyof Paths];

/** A form's fields. The description types a file as a string of bytes; here it is a file. */
export type FormOf<Operation> =
  Operation extends Multipart<infer Body>
    ? { [Name in keyof Body]: Body[Name] extends string | undefined ? Body[Name] | File : never }
    : never;

type InPathOf<Operation> = Operation extends { parameters: { path: infer InPath extends object } }
  ? { inPath: InPath }
  : { inPath?: never };

/** An undefined value is left out of the address; null is not allowed. */
type Sent<Query> = { [Name in keyof Query]: Exclude<Query[Name], null> | undefined };

type InQueryOf<Operation> = Operation extends { parameters: { query: infer Query extends object } }
  ? { inQuery: Sent<Query> }
  : Operation extends { parameters: { query?: infer Query extends object } }
    ? { inQuery?: Sent<Query> }
    : { inQuery?: never };

/** The values for an operation's address: its `{names}` and its query. */
export type AddressOf<Operation> = InPathOf<Operation> & InQueryOf<Operation>;

/** The last argument of a call: required if the address has parameters. */
export type Last<Options> = object extends Options ? [options?: Options] : [options: Options];
