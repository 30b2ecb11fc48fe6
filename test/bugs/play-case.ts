/** Plays the case of a bug by plain HTTP, as a tester does. */

import type { BugCase, Claims } from '../../src/defects/catalogue/cases/bug-case.js';
import { type Caller, runScript, type Sent } from '../challenges/run-script.js';
import type { HttpResponse, TestService } from '../support/service.js';
import { hunter, type Report } from './hunter.js';

type Send = Pick<TestService, 'send'>;

export function testerOf(service: Send) {
  const tester = hunter(service);
  const caller: Caller = {
    send(target, { headers = [], ...options }) {
      const given = Array.isArray(headers) ? headers : Object.entries(headers);
      return service.send(target, {
        ...options,
        headers: [...given, ['X-Sandbox', tester.sandbox]],
      });
    },
    async upgrade() {},
    wait() {},
  };
  /** `A & B` are sent one after the other: only one test sends them at once. */
  const play = (steps: readonly string[]) =>
    runScript(steps.join(' && ').replaceAll(' & ', ' && '), caller);
  return { ...tester, play };
}

export type Tester = ReturnType<typeof testerOf>;

export function reportOf({ target, headers, body }: Sent, claims: Claims): Report {
  const space = target.indexOf(' ');
  return {
    method: target.slice(0, space),
    path: target.slice(space + 1),
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { body: String(body) }),
    ...claims,
  };
}

/** Sends the requests of a case, and returns the reported request. */
export async function reportedOf(tester: Tester, { steps, reported, again }: BugCase) {
  const sent = await tester.play(steps);
  const last = again === undefined ? sent : await tester.play(again);
  return last[(reported ?? last.length) - 1] as Sent;
}

/** Whether the last response has this value at the place of the case. */
export function hasValue(sent: readonly Sent[], { at }: BugCase, value: unknown): boolean {
  const found = valueAt(sent.at(-1)?.response as HttpResponse, at);
  if (value === null) return found === undefined;
  if (typeof value === 'object' && 'length' in (value as object)) {
    return Array.isArray(found) && found.length === (value as { readonly length: number }).length;
  }
  if (typeof value === 'object') return typeof found === 'object';
  if (at === 'headers.etag') return value === '"country-2"' ? found === value : found !== undefined;
  if (typeof found !== 'string' || !ofParts.includes(at)) return found === value;
  return String(value).startsWith('/') ? found.endsWith(String(value)) : found.includes(`${value}`);
}

/** Places of which a case names only a part of the value. */
const ofParts = ['headers.location', 'headers.link', 'headers.www-authenticate', 'body'];

function valueAt({ status, headers, text }: HttpResponse, at: string): unknown {
  const [part, ...names] = at.split('.');
  if (part === 'status') return status;
  if (part === 'headers') return headers[names.join('.')];
  if (names.length === 0 && !/^\s*[[{]/.test(text)) return text;
  return names.reduce((value, name) => value?.[name], JSON.parse(text));
}
