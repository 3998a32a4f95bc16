import type postgres from "postgres";

/** int8 is read as a number: sequences, counts and milliseconds all stay below 2^53. */
type Types = { int8: number };

/** Tagged-template queries of postgres.js; pass arrays for `unnest`, never objects for `jsonb` (pass JSON text and cast). */
export type Sql = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;
/** Whatever queries can be put to. */
export type Queries = Sql | Transaction;
/** A piece of a query, for conditions that are put together. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;
