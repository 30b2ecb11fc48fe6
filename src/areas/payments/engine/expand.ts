/** Replaces ids by their objects where `expand` says so. */

import { invalidRequest } from '../wire/errors.js';
import { declarations, typeOfId } from './declarations.js';
import type { Ledger } from './ledger.js';
import { type Stored, type Value, visible } from './objects.js';

const maxExpansions = 20;

/** The depth that Stripe allows. */
const maxExpandDepth = 4;

/** Members that a response has only if `expand` names them. */
export type Included = Readonly<Record<string, (ledger: Ledger, object: Stored) => Value>>;

export function expandAll(
  ledger: Ledger,
  body: Value,
  paths: readonly string[],
  included: Included,
): Value {
  if (paths.length > maxExpansions) {
    throw invalidRequest(`A request has at most ${maxExpansions} expansions.`, { param: 'expand' });
  }
  return paths.reduce((value, path) => {
    const names = path.split('.');
    const isOfList = names[0] === 'data' && Array.isArray(value.data);
    if (names.length - Number(isOfList) > maxExpandDepth) {
      throw invalidRequest(`expand has at most ${maxExpandDepth} levels.`, {
        param: 'expand',
      });
    }
    return expand(ledger, value, { names, path, included, owner: value.object, at: '' });
  }, body);
}

interface Step {
  readonly names: readonly string[];
  /** The path that the caller sent. */
  readonly path: string;
  readonly included: Included;
  /** The type of the object that has the members. */
  readonly owner: string;
  /** The path from that object. */
  readonly at: string;
}

function expand(ledger: Ledger, value: Value, step: Step): Value {
  const { names, included } = step;
  const [name, ...rest] = names;
  if (name === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expand(ledger, item, enter(step, item)));
  if (typeof value !== 'object') throw notExpandable(step);
  const { owner, at } = enter(step, value);
  const place = at === '' ? name : `${at}.${name}`;
  const extra = included[`${owner}.${place}`];
  if (extra !== undefined && typeof value.id === 'string') {
    const made = value[name] ?? extra(ledger, value);
    return { ...value, [name]: expand(ledger, made, { ...step, owner: '', at: '', names: rest }) };
  }
  if (!(name in value) && !isKnown(owner, place)) throw notExpandable(step);
  const replaced = replace(ledger, value[name] ?? null, { ...step, owner, at: place });
  const next = { ...step, owner, at: place, names: rest };
  return { ...value, [name]: rest.length === 0 ? replaced : expand(ledger, replaced, next) };
}

/** Objects inside of others have their own declared members. */
const enter = (step: Step, value: Value): Step =>
  typeof value?.object === 'string' && (value.id !== undefined || value.object === 'list')
    ? { ...step, owner: value.object, at: '' }
    : step;

function isKnown(owner: string, place: string): boolean {
  const { expandable = [] } = declarations()[typeNamed(owner)] ?? {};
  return expandable.some((each) => each === place || each.startsWith(`${place}.`));
}

const typeNamed = (object: string) => (object === 'line_item' ? 'invoice_line_item' : object);

function replace(ledger: Ledger, found: Value, step: Step): Value {
  if (Array.isArray(found)) return found.map((item) => replace(ledger, item, step));
  const isLast = step.names.length === 1;
  if (found === null || typeof found === 'object') {
    const isObject = found === null || found.object !== undefined;
    if (isLast && !isKnown(step.owner, step.at) && !isObject) throw notExpandable(step);
    return found;
  }
  if (!isKnown(step.owner, step.at)) throw notExpandable(step);
  const type = step.at.endsWith('coupon') ? 'coupon' : typeOfId(String(found));
  const object = type === undefined ? undefined : ledger.find(type, String(found));
  return object === undefined ? found : visible(object);
}

function notExpandable({ path }: Step) {
  return invalidRequest(
    `This member cannot be expanded (${path.slice(0, 100)}): only members with an id can.`,
    { param: 'expand' },
  );
}
