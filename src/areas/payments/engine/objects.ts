/** Types of stored objects and of parameters. */

/** A value of Stripe's API: the declarations know its type, the compiler does not. */
// biome-ignore lint/suspicious/noExplicitAny: the declarations have the types
export type Value = any;

export type Params = Readonly<Record<string, Value>>;

/** Names that begin with `_` are never sent. */
export interface Stored {
  readonly id: string;
  readonly object: string;
  readonly [member: string]: Value;
}

/** Returns an object without its hidden members. */
export function visible(object: Stored): Stored {
  const shown = Object.entries(object).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(shown) as unknown as Stored;
}
