/** Each broken stream changes the bytes where it says so, and nowhere else. */

import { beforeAll, describe, expect, test } from 'vitest';
import { allKinds, type Kind, places } from '../../src/areas/llm/streams/broken-stream.js';
import {
  brokenStream,
  type Misbehaviour,
  type StreamName,
  streamNames,
} from '../../src/areas/llm/streams/cases.js';
import { isProxied } from '../support/create-service.js';
import { useService } from '../support/service.js';
import { headersOf, streamBody, streamTarget } from './llm.js';
import { type RawStream, readRaw } from './support/raw-stream.js';

const service = useService();

/** A pace sends each event in its own chunk. */
const pace = { chunkMs: 1 };
const turns = {
  text: { text: 'One two three, four.', pace },
  arguments: { toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo', days: 3 } }], pace },
};
type Content = keyof typeof turns;

/** Endpoints that have a call in one event: with two calls, there is one before the break. */
const ofWholeCalls: readonly Kind[] = ['gemini', 'ollama'];
const [call] = turns.arguments.toolCalls;
const severalCalls = {
  toolCalls: [call, { ...call, arguments: { city: 'Bergen', days: 2 } }],
  pace,
};

const turnOf = (kind: Kind, content: Content) =>
  content === 'arguments' && ofWholeCalls.includes(kind) ? severalCalls : turns[content];

const contentOf = (at: string): Content => (at === 'arguments' ? 'arguments' : 'text');

interface Asked {
  readonly kind: Kind;
  readonly content: Content;
  readonly misbehaviour?: Misbehaviour;
  readonly isStream?: boolean;
  /** Whether a chat requests its usage. */
  readonly hasUsage?: boolean;
}

/** Reads the response to a request; each has its own sandbox, whose script has one turn. */
async function read(asked: Asked): Promise<RawStream> {
  const { kind, content, misbehaviour, isStream = true, hasUsage = true } = asked;
  const sandbox = `broken-${++sandboxes}`;
  const script = { turns: [turnOf(kind, content)] };
  await service.send(`PUT /s/${sandbox}/api/sandbox/llm`, { json: script });
  const options =
    kind === 'chat' && isStream ? { stream_options: { include_usage: hasUsage } } : {};
  const query = misbehaviour ? `misbehave=${misbehaviour.name}&at=${misbehaviour.at}` : '';
  return readRaw(service.url, {
    target: `POST /s/${sandbox}${streamTarget(kind, isStream, query)}`,
    headers: headersOf(kind, {}),
    json: streamBody(kind, 'Go on', isStream, options),
    silence: () => (misbehaviour ? readSeveral({ kind, content }) : new Promise(() => {})),
  });
}

/** Reads whole streams, one after the other. A stream that began before them and is still open is silent. */
async function readSeveral(asked: Asked): Promise<void> {
  for (let count = 0; count < 8; count++) await read(asked);
}

let sandboxes = 0;

const ordinary = new Map<string, RawStream>();

async function ordinaryOf({ misbehaviour: _, ...asked }: Asked): Promise<RawStream> {
  const key = JSON.stringify(asked);
  const stream = ordinary.get(key) ?? (await read(asked));
  ordinary.set(key, stream);
  return stream;
}

/** Returns the bytes and the end, without the header that names a misbehaviour. */
const wireOf = ({ isSimulated: _, ...wire }: RawStream) => wire;

async function expectChanged(asked: Asked): Promise<RawStream> {
  const [right, wrong] = [await ordinaryOf(asked), await read(asked)];
  expect(wireOf(wrong), JSON.stringify(asked)).not.toEqual(wireOf(right));
  expect(wrong.isSimulated, JSON.stringify(asked)).toBe(true);
  return wrong;
}

async function expectOrdinary(asked: Asked): Promise<void> {
  expect(await read(asked), JSON.stringify(asked)).toEqual(await ordinaryOf(asked));
}

/** Checks a stream at an endpoint: where it acts, and where it does not. */
async function check(kind: Kind, name: StreamName): Promise<void> {
  const { at: own, kinds: ownKinds, withoutStream = [], isFor } = brokenStream(name);
  const acts = ownKinds.includes(kind);
  const broken = await Promise.all(
    own.map(async (at) => {
      const asked = { kind, content: contentOf(at), misbehaviour: { name, at } };
      const json = { ...asked, isStream: false };
      await (withoutStream.includes(kind) ? expectChanged(json) : expectOrdinary(json));
      if (!acts) return expectOrdinary(asked);
      if (at === 'text') await expectOrdinary({ ...asked, content: 'arguments' });
      if (at === 'arguments') await expectOrdinary({ ...asked, content: 'text' });
      if (isFor && kind === 'chat') await expectOrdinary({ ...asked, hasUsage: false });
      return expectChanged(asked);
    }),
  );
  const different = new Set(broken.map((each) => JSON.stringify(each && wireOf(each))));
  if (acts) expect(different.size, `the places of ${name}`).toBe(own.length);
}

// A proxy cuts the bytes into its own pieces.
describe.skipIf(isProxied).each(allKinds)('%s', (kind) => {
  beforeAll(async () => {
    for (const content of ['text', 'arguments'] as const) {
      const stream = await ordinaryOf({ kind, content });
      const type = kind === 'ollama' ? 'application/x-ndjson' : 'text/event-stream; charset=utf-8';
      expect(stream).toMatchObject({ type, ending: 'closed' });
      expect(stream.isSimulated).toBe(false);
      const hasFew = content === 'arguments' && ofWholeCalls.includes(kind);
      expect(stream.chunks.length).toBeGreaterThan(hasFew ? 2 : 5);
      expect(wireOf(await read({ kind, content }))).toEqual(wireOf(stream));
    }
  });

  test.each(streamNames)('%s', (name) => check(kind, name));
});

test.each(streamNames)('%s has only its places', async (name) => {
  const own: readonly string[] = brokenStream(name).at;
  for (const at of places.filter((each) => !own.includes(each))) {
    const query = `misbehave=${name}&at=${at}`;
    const target = `POST /s/places${streamTarget('chat', true, query)}`;
    const { status } = await service.send(target, {
      json: streamBody('chat', 'Hi', true),
      headers: headersOf('chat', {}),
    });
    expect(status).toBe(400);
  }
});
