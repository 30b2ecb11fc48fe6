/** Parses forms with brackets in names, such as `items[0][price]=price_1`, as the SDKs of Stripe send them. */

import { decodePercent } from '#base/text/decode-percent.js';
import { invalidRequest } from './errors.js';
import { hideNumbers } from './hide-numbers.js';

/** Members by name; a list is a form whose names are numbers. */
export type Form = Map<string, string | Form>;

/** Pairs of a form. */
const maxPairs = 1000;

/** Brackets of a name. */
const maxDepth = 8;

/** Throws 400 for a form that is too large, and for a name that has both a value and members. */
export function parseForm(text: string): Form {
  const form: Form = new Map();
  let pairs = 0;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    if (end > start) {
      pairs += 1;
      if (pairs > maxPairs) throw invalidRequest(`A request has at most ${maxPairs} parameters.`);
      addPair(form, text.slice(start, end));
    }
    start = end + 1;
  }
  return form;
}

function addPair(form: Form, pair: string): void {
  const middle = pair.indexOf('=');
  const name = decode(middle < 0 ? pair : pair.slice(0, middle));
  const value = middle < 0 ? '' : decode(pair.slice(middle + 1));
  const path = pathOf(name);
  let place = form;
  for (const [index, part] of path.entries()) {
    const key = part === '' && index > 0 ? String(place.size) : part;
    const known = place.get(key);
    const isLast = index === path.length - 1;
    if (isLast ? known instanceof Map : typeof known === 'string') {
      throw invalidRequest(`${shownName(name)} is both a value and an object.`, {
        param: shownName(name),
      });
    }
    if (isLast) place.set(key, value);
    else place = known instanceof Map ? known : memberOf(place, key);
  }
}

function memberOf(place: Form, key: string): Form {
  const made: Form = new Map();
  place.set(key, made);
  return made;
}

/** Returns the parts of a name; a malformed name is one part. */
function pathOf(name: string): string[] {
  const first = name.indexOf('[');
  if (first <= 0 || !name.endsWith(']')) return [name];
  const path = name.slice(first + 1, -1).split('][');
  if (path.some((part) => part.includes('[') || part.includes(']'))) return [name];
  if (path.length > maxDepth) {
    throw invalidRequest(`A parameter has at most ${maxDepth} brackets.`);
  }
  return [name.slice(0, first), ...path];
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  const decoded = decodePercent(spaced);
  if (decoded !== undefined) return decoded;
  throw invalidRequest('The parameters are malformed: each % must begin a byte of UTF-8.');
}

const maxShownName = 100;

export const shownName = (name: string): string => hideNumbers(name.slice(0, maxShownName));
