/** A value that JSON can carry; what parsed bodies and stored payloads are made of. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
