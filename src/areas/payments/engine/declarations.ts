/** Reads the declarations of objects, their operations and parameters from `data/payments/`. */

import { lazily } from '#base/lazily.js';
import { readPackageFile } from '#base/package/package-files.js';

/**
 * The type of a parameter: a text such as `string:22`, `integer`, `|card|cash` or `decimal?` (`?` accepts an empty
 * text, which unsets the value), the members of an object, or a list of one type. The member `?` of an object means
 * the same as a `?` at the end; the member `~` has the names that Stripe has and this service does not.
 */
export type Type = string | readonly Type[] | { readonly [member: string]: Type };

export interface Operation {
  /** Such as `POST /v1/customers/:id`. */
  readonly at: string;
  readonly params?: Readonly<Record<string, Type>>;
}

export interface Declaration {
  readonly path: string;
  readonly prefix: string;
  /** The members of a new object with their defaults. */
  readonly template: Readonly<Record<string, unknown>> & { readonly object: string };
  /** Paths of members that `expand` accepts. */
  readonly expandable: readonly string[];
  readonly operations: Readonly<Record<string, Operation>>;
}

export interface TestCard {
  readonly number: string;
  /** Follows `pm_card_` and `tok_`. */
  readonly name: string;
  readonly brand?: string;
  readonly funding?: string;
  readonly country?: string;
  readonly decline?: Decline;
  /** Whether a payment method can be created although payments are declined. */
  readonly attaches?: true;
  /** Whether no payment method can be created. */
  readonly isRejected?: true;
  readonly risk?: 'elevated' | 'highest';
  readonly checks?: Readonly<Record<string, string>>;
  readonly threeD?:
    | 'always'
    | 'on-session'
    | 'unless-set-up'
    | 'optional'
    | 'error'
    | 'optional-error';
  readonly dispute?: DisputeCause;
  /** Type of the early fraud warning that follows the charge. */
  readonly fraudWarning?: string;
  readonly refund?: 'pending' | 'fails';
  readonly isAvailable?: true;
}

export interface DisputeCause {
  readonly reason: string;
  readonly network_reason_code: string | null;
  readonly case_type: string;
  /** Disputes of one charge, which share its amount. */
  readonly count?: number;
  /** By the program of the network: how far evidence meets its rules. */
  readonly eligibility?: Readonly<Record<string, object>>;
}

export interface Decline {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly param?: string;
  readonly advice_code?: string;
}

const read = (name: string): unknown =>
  JSON.parse(String(readPackageFile(`data/payments/${name}.json`)));

export const declarations = lazily(
  () => read('resources') as Readonly<Record<string, Declaration>>,
);

export const testCards = lazily(() => read('cards') as readonly TestCard[]);

export function declarationOf(type: string): Declaration {
  const found = declarations()[type];
  if (found === undefined) throw new Error(`There is no declaration of ${type}.`);
  return found;
}

/** Returns the type of an object by its id; `undefined` for a coupon, whose id the caller chooses. */
export function typeOfId(id: string): string | undefined {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  return prefix === '' ? undefined : typesByPrefix().get(prefix);
}

const typesByPrefix = lazily(
  () => new Map(Object.entries(declarations()).map(([type, { prefix }]) => [prefix, type])),
);

const cardsByNumber = lazily(() => new Map(testCards().map((card) => [card.number, card])));
const cardsByName = lazily(() => new Map(testCards().map((card) => [card.name, card])));

export const cardNumbered = (number: string) => cardsByNumber().get(number);
export const cardNamed = (name: string) => cardsByName().get(name);
