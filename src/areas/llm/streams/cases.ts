/** The broken and unusual streams by name, and the cases of the test plan. */

import type { BreakingPlace, BrokenStream, Kind, Nature, Wanted } from './broken-stream.js';
import { bodies } from './catalogue/bodies.js';
import { compatible } from './catalogue/compatible.js';
import { contents } from './catalogue/contents.js';
import { endings } from './catalogue/endings.js';
import { forms } from './catalogue/forms.js';

const table = { ...endings, ...forms, ...contents, ...compatible, ...bodies };

export type StreamName = keyof typeof table;

export const streamNames = Object.keys(table) as readonly StreamName[];

export const brokenStream = (name: StreamName): BrokenStream => table[name];

export function isStreamName(name: unknown): name is StreamName {
  return typeof name === 'string' && Object.hasOwn(table, name);
}

export function natureOf(name: StreamName, kind: Kind): Nature {
  const { nature, natureAt } = brokenStream(name);
  return natureAt?.[kind] ?? nature;
}

/** Returns the nature of the response to this request. */
export function natureFor(name: StreamName, wanted: Wanted): Nature {
  const isHarmless = brokenStream(name).isHarmlessFor?.(wanted) ?? false;
  return isHarmless ? 'either' : natureOf(name, wanted.kind);
}

/** A broken stream at one place. */
export interface Misbehaviour {
  readonly name: StreamName;
  readonly at: BreakingPlace;
}

/** Cases of the test plan, such as `reset-text`. */
export const cases: ReadonlyMap<string, Misbehaviour> = new Map(
  streamNames.flatMap((name) =>
    brokenStream(name).at.map((at) => [`${name}-${at}`, { name, at }] as const),
  ),
);

/** The right behaviour of a client, by the nature of a stream. */
export const rightClient: Readonly<Record<Nature, string>> = {
  broken: 'Sends the request again without the fragment, or reports an error.',
  odd: 'Continues with the whole text.',
  either: 'Continues with the whole text, or sends the request again.',
};
