/** Replays the request of a report on a copy of the sandbox, and returns everything that it shows. */

import { turns } from '#base/work-in-turns.js';
import type { Defect } from '#defects/defect.js';
import { setBugs } from '#defects/hunts-in-state.js';
import { endPlan } from '#faults/plan/plans-in-state.js';
import type { Request } from '#http/exchange.js';
import type { ReplayedResponse } from '#kit/replays/parse-response.js';
import type { ReplayedRequest } from '#kit/replays/replays.js';
import type { Sandboxes } from '#kit/services.js';
import { SandboxCopy, type WrittenState } from '#state/copy/sandbox-copy.js';
import type { SandboxSnapshot } from '#state/copy/sandbox-snapshot.js';
import type { Outcome } from './differences.js';
import type { DescribedRequest } from './read-report.js';

export interface Replaying {
  readonly sandboxes: Sandboxes;
  readonly request: Request;
  readonly described: DescribedRequest;
  /** Defects that may change the response. */
  readonly suspects: readonly Defect[];
}

/** The request was not replayed completely. */
export class NoReplay extends Error {}

export async function outcomeOf(
  replaying: Replaying,
  snapshot: SandboxSnapshot,
  bugs: readonly string[],
): Promise<Outcome> {
  const { described, suspects } = replaying;
  // Each replay may be long work.
  await turns.whenFree();
  const copy = new SandboxCopy(snapshot);
  await setBugs(copy, bugs);
  await endPlan(copy);
  const sent = [described, ...(suspects.some(({ isAtOnce }) => isAtOnce) ? [described] : [])];
  const responses = await Promise.all(sent.map((each) => replay(replaying, each, copy)));
  // If there are two requests at once, their failure counts.
  const [response = none] = responses.sort((one, other) => other.status - one.status);
  const state = stateOf(copy.written());
  const later = laterRequest(described, suspects);
  if (later === undefined) return { ...shownParts(response), state };
  return {
    ...shownParts(response),
    state,
    later: shownParts(await replay(replaying, later, copy)),
  };
}

const none: ReplayedResponse = { status: 0, headers: [], body: Buffer.alloc(0) };

/** Returns the request that shows what the reported one has stored. */
function laterRequest(
  described: DescribedRequest,
  suspects: readonly Defect[],
): ReplayedRequest | undefined {
  const { inside: target, headers, body } = described;
  const shownBy = suspects.find((each) => each.shownBy !== undefined)?.shownBy;
  if (shownBy === undefined) return undefined;
  const later = shownBy({ target, headers, body });
  return {
    ...{ method: 'GET', body: Buffer.alloc(0), ...later },
    headers: { 'x-request-id': headers['x-request-id'] ?? '', ...later.headers },
  };
}

async function replay(
  { sandboxes: { replays }, request }: Replaying,
  sent: ReplayedRequest,
  copy: SandboxCopy,
): Promise<ReplayedResponse> {
  const response = await replays.run(request, sent, copy);
  if (typeof response === 'string') throw new NoReplay(`The replay was ${endings[response]}.`);
  if (response.status === 503) {
    throw new NoReplay('The service was too busy for a replay. Try again.');
  }
  return response;
}

const endings = {
  'too slow': 'ended after two seconds',
  'too large': 'ended after a mebibyte',
  cut: 'cut off without a response',
};

/** Differ between responses, or follow from the body. */
const uncompared = new Set(['date', 'content-length', 'connection', 'keep-alive']);

function shownParts({ status, headers, body }: ReplayedResponse) {
  // Names may be those that every object has, such as constructor.
  const byName = new Map<string, string>();
  for (const [name, value] of headers) {
    if (uncompared.has(name)) continue;
    const before = byName.get(name);
    byName.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const type = byName.get('content-type') ?? '';
  return { status, headers: Object.fromEntries(byName), body: jsonOrText(body, type) };
}

function jsonOrText(body: Buffer, type: string): unknown {
  const text = body.toString();
  if (!/[/+]json\b/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The replay itself writes which defects it has, and that it has no fault plan. */
function stateOf(written: WrittenState): WrittenState {
  const own = ['bug-hunts ', 'fault-plan'];
  return Object.fromEntries(
    Object.entries(written).filter(([name]) => !own.some((each) => name.startsWith(each))),
  );
}
