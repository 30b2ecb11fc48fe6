/**
 * Preloaded into the processes of a test run (`--import`): keeps each object of payments that a response has, once per
 * form, as a line of a file in the folder `PRACTICE_KEPT_PAYMENTS`.
 */

import { appendFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { join } from 'node:path';

const folder = process.env.PRACTICE_KEPT_PAYMENTS ?? '';
const file = join(folder, `${process.pid}.jsonl`);

/** @type {Set<string>} */
const kept = new Set();

/** Names of values are part of a form, and ids, numbers and texts are not. */
const word = /^[a-z][a-z_.]{0,59}$/;

/** @param {unknown} value @returns {unknown} */
function formOf(value) {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(formOf(each))))];
  if (typeof value === 'string') return word.test(value) ? value : 'text';
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, formOf(each)]));
}

/** @param {unknown} value */
function keep(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) keep(each);
  const { object } = /** @type {{object?: unknown}} */ (value);
  if (typeof object !== 'string' || object === 'list' || object === 'search_result') return;
  const form = JSON.stringify(formOf(value));
  if (kept.has(form)) return;
  kept.add(form);
  appendFileSync(file, `${JSON.stringify(value)}\n`);
}

/** @type {WeakMap<object, Buffer[]>} */
const chunks = new WeakMap();
const isPayments = /\/v1\/[a-z]/;
const { write, end } = ServerResponse.prototype;

/** @param {ServerResponse} response @param {unknown} chunk */
function add(response, chunk) {
  const { url = '' } = response.req ?? {};
  if (!isPayments.test(url) || (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)))
    return;
  const all = chunks.get(response) ?? [];
  all.push(Buffer.from(/** @type {string} */ (chunk)));
  chunks.set(response, all);
}

ServerResponse.prototype.write = function (/** @type {any[]} */ ...args) {
  add(this, args[0]);
  return Reflect.apply(write, this, args);
};
ServerResponse.prototype.end = function (/** @type {any[]} */ ...args) {
  add(this, args[0]);
  try {
    keep(JSON.parse(Buffer.concat(chunks.get(this) ?? []).toString()));
  } catch {
    // Pages, and bodies that a fault cuts.
  }
  return Reflect.apply(end, this, args);
};
