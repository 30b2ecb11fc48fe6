/** Verdicts on broken streams: for a client that ignores errors, and for a careful client. */

import { describe, expect, test } from 'vitest';
import type { Kind } from '../../src/areas/llm/streams/broken-stream.js';
import {
  brokenStream,
  cases,
  type Misbehaviour,
  natureOf,
  type StreamName,
} from '../../src/areas/llm/streams/cases.js';
import { resultOf } from '../../src/areas/llm/streams/played-case.js';
import { useService } from '../support/service.js';
import { converseCarefully } from './support/careful-client.js';
import { dialects } from './support/dialects.js';
import { type Conversation, converseNaively } from './support/naive-client.js';

const service = useService();

type Outcomes = Readonly<Record<string, string>>;

/** Cases that a client learns of only because nothing arrives. */
const silent: readonly StreamName[] = ['silence', 'silence-with-pings', 'failed-open'];

/** Patience of the careful client where streams are silent, and where none is. */
const shortMs = 300;
const longMs = 30_000;

const kinds = Object.keys(dialects) as readonly Kind[];

const casesOf = (kind: Kind, isSilent: boolean) =>
  [...cases].filter(
    ([, { name }]) => brokenStream(name).kinds.includes(kind) && silent.includes(name) === isSilent,
  );

async function beginRun(sandbox: string, names: readonly string[]): Promise<string> {
  const target = `POST /s/${sandbox}/llm/test-plan/runs`;
  const { headers } = await service.send(target, { json: { cases: names } });
  return String(headers.location);
}

async function outcomesOf(location: string): Promise<Outcomes> {
  const { pathname } = new URL(location);
  const { json } = await service.send(`GET ${pathname}`);
  return Object.fromEntries(
    json.map((step: { case: string; outcome: string }) => [step.case, step.outcome]),
  );
}

function conversationFor(
  kind: Kind,
  location: string,
  [name, misbehaviour]: readonly [string, Misbehaviour],
): Conversation {
  const hasTool = misbehaviour.at === 'arguments';
  return {
    ...{ kind, hasTool, result: resultOf(misbehaviour) },
    ...{ prompt: hasTool ? 'Call get_weather.' : 'count to 4' },
    baseUrl: `${location}/${name}/${dialects[kind].base}`,
  };
}

/** Endpoints that have a call in one event, so that nothing of a cut call arrives. */
const ofWholeCalls: readonly Kind[] = ['gemini', 'ollama'];
const cutCalls = ['error-event', 'reset', 'close', 'wrong-index'].map(
  (each) => `${each}-arguments`,
);

const hasNothing = (kind: Kind, name: string, { at }: Misbehaviour) =>
  at === 'start' || (ofWholeCalls.includes(kind) && cutCalls.includes(name));

const expectedOf = (
  kind: Kind,
  own: readonly (readonly [string, Misbehaviour])[],
  broken: 'handled' | 'mishandled',
  noticed: readonly string[] = [],
): Outcomes =>
  Object.fromEntries(
    own.map(([name, misbehaviour]) => {
      const nature = natureOf(misbehaviour.name, kind);
      // Whether the client has noticed that there is no content cannot be seen.
      const isUnseen = broken === 'mishandled' && hasNothing(kind, name, misbehaviour);
      const usual = { broken: isUnseen ? 'unclear' : broken, odd: 'handled', either: 'either' }[
        nature
      ];
      return [name, noticed.includes(name) ? 'handled' : usual];
    }),
  );

describe.each(kinds)('%s', (kind) => {
  const loud = casesOf(kind, false);
  const quiet = casesOf(kind, true);
  const names = (own: typeof loud) => own.map(([name]) => name);

  test('a client that ignores errors mishandles broken streams', async () => {
    const location = await beginRun(`naive-${kind}`, names(loud));
    await Promise.all(loud.map((each) => converseNaively(conversationFor(kind, location, each))));
    const noticed = ['no-call-index-arguments', 'late-name-arguments'];
    if (ofWholeCalls.includes(kind)) noticed.push('out-of-order-arguments');
    // The other of two replicas may record the end of a stream later than the client sees it.
    await expect
      .poll(() => outcomesOf(location))
      .toEqual(expectedOf(kind, loud, 'mishandled', noticed));
  });

  test('a client that checks the stream handles broken streams', async () => {
    const location = await beginRun(`careful-${kind}`, names(loud));
    await Promise.all(
      loud.map((each) => converseCarefully(conversationFor(kind, location, each), longMs)),
    );
    const noticed = ['json-start', 'duplicate-arguments'];
    if (kind !== 'responses') noticed.push('no-terminator-end');
    await expect
      .poll(() => outcomesOf(location))
      .toEqual(expectedOf(kind, loud, 'handled', noticed));
  });

  test('a client that waits in silence mishandles it', async () => {
    const sandbox = `patient-${kind}`;
    const location = await beginRun(sandbox, names(quiet));
    const { signal, abort } = controllerOf();
    const conversations = quiet.map((each) =>
      converseNaively({ ...conversationFor(kind, location, each), signal }),
    );
    let offsetSeconds = 0;
    await expect
      .poll(async () => {
        offsetSeconds += 16;
        await service.send(`PUT /s/${sandbox}/api/sandbox/clock`, { json: { offsetSeconds } });
        return outcomesOf(location);
      })
      .toEqual(Object.fromEntries(quiet.map(([name]) => [name, 'mishandled'])));
    abort();
    await Promise.all(conversations);
  });

  test('a client that closes a silent stream handles it', async () => {
    const location = await beginRun(`impatient-${kind}`, names(quiet));
    await Promise.all(
      quiet.map((each) => converseCarefully(conversationFor(kind, location, each), shortMs)),
    );
    await expect.poll(() => outcomesOf(location)).toEqual(expectedOf(kind, quiet, 'handled'));
  });
});

function controllerOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
