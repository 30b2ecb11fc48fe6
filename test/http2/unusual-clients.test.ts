/** Clients that are right, but unusual: no rule is broken, and cases fit what they announce. */

import { expect, test } from 'vitest';
import { caseNames, caseOf } from '../../src/areas/http2/cases/cases.js';
import {
  type FrameConnection,
  flags,
  frame,
  frameTypes,
  headers,
  isOf,
  openFrames,
  preface,
  requestFields,
  rstStream,
  settings,
  uint32,
} from '../support/http2-frames.js';
import { useService } from '../support/service.js';

const { send } = useService({ http2LabPort: 0 });

interface Client {
  readonly begin?: Buffer;
  readonly stream?: number;
  /** Acts once the response has begun. */
  readonly act: (connection: FrameConnection) => void | Promise<void>;
}

/** Lets a client meet a case, and returns the step of the report. */
async function judge(
  name: string,
  { begin = settings(), stream = 1, act }: Client,
): Promise<{ outcome: string; verdict: string; evidence: string }> {
  const begun = await send('POST /s/unusual/api/http2/plan/runs', { json: { cases: [name] } });
  const { url } = begun.json[0];
  const request = headers(stream, requestFields(new URL(url).pathname));
  const connection = openFrames(url, { begin: Buffer.concat([preface, begin, request]) });
  await act(connection);
  connection.socket.end();
  await connection.ended;
  const { pathname } = new URL(begun.headers.location ?? '');
  const read = async () => (await send(`GET ${pathname}`)).json[0];
  await expect.poll(async () => (await read()).observed).toBeDefined();
  return read();
}

const goaway = (code: number) =>
  frame(frameTypes.goaway, 0, 0, Buffer.concat([uint32(0), uint32(code)]));

interface Step {
  readonly case: string;
  readonly url: string;
  readonly verdict: string;
  readonly evidence: string;
  readonly visits: number;
  readonly observed?: string;
}

/** Lets a client meet each case of the plan that fits, and returns the report. */
async function judgeAll(
  fits: (name: string) => boolean,
  meet: (url: URL) => Promise<void>,
): Promise<readonly Step[]> {
  const begun = await send('POST /s/unusual/api/http2/plan/runs', {
    json: { cases: caseNames.filter(fits) },
  });
  await Promise.all(begun.json.map((each: Step) => meet(new URL(each.url))));
  const { pathname } = new URL(begun.headers.location ?? '');
  const read = async (): Promise<readonly Step[]> => (await send(`GET ${pathname}`)).json;
  const isJudged = ({ visits, observed }: Step) => visits === 0 || observed !== undefined;
  await expect.poll(async () => (await read()).every(isJudged), { timeout: 10_000 }).toBe(true);
  return read();
}

const isOfPreface = (name: string) => caseOf(name)?.preface !== undefined;
const isBlamed = ({ verdict }: Step) => !['kept', 'unclear', 'not-reached'].includes(verdict);

test('a client that waits for the SETTINGS does not reach the cases of the preface', async () => {
  const steps = await judgeAll(isOfPreface, async (url) => {
    const connection = openFrames(url.href);
    const first = await connection.until(() => true);
    expect(first?.type).toBe(frameTypes.settings);
    connection.send(headers(1, requestFields(url.pathname)));
    await connection.ended;
  });
  expect(steps.length).toBeGreaterThanOrEqual(6);
  for (const step of steps) {
    expect(step).toMatchObject({
      verdict: 'not-reached',
      evidence: 'The client waited for the SETTINGS before its request.',
      visits: 1,
    });
  }
});

test('after the SETTINGS that such a client waits for, another case is played', async () => {
  const steps = await judgeAll(
    (name) => name === 'settings-push-2',
    async (url) => {
      const connection = openFrames(url.href);
      await connection.until(isOf(frameTypes.settings));
      connection.send(headers(1, requestFields(url.pathname)));
      await connection.until(({ type, payload }) => type === 4 && payload[1] === 2);
      connection.send(goaway(1));
      await connection.ended;
    },
  );
  expect(steps).toMatchObject([{ verdict: 'kept' }]);
});

test.each<[string, (path: string) => Buffer, number]>([
  ['before its request', () => settings(), 0],
  [
    'with GOAWAY after its request',
    (path) => Buffer.concat([settings(), headers(1, requestFields(path)), goaway(0)]),
    1,
  ],
  [
    'with RST_STREAM after its request',
    (path) => Buffer.concat([settings(), headers(1, requestFields(path)), rstStream(1, 1)]),
    1,
  ],
])(
  'a client that leaves %s has reached no case, and is not blamed',
  async (_when, begin, visits) => {
    const steps = await judgeAll(
      () => true,
      async (url) => {
        const connection = openFrames(url.href, {
          begin: Buffer.concat([preface, begin(url.pathname)]),
        });
        connection.socket.end();
        await connection.ended;
      },
    );
    const evidence =
      visits === 0 ? 'The client has not met the case.' : 'The client left before the case.';
    for (const step of steps) {
      expect(step).toMatchObject({ case: step.case, verdict: 'not-reached', visits, evidence });
    }
  },
);

// The lab may read the end of the connection only after it has sent the case.
test.each([
  ['with its request', false],
  ['as soon as it reads anything', true],
])('a client that leaves %s is not blamed', async (_when, isReading) => {
  const steps = await judgeAll(
    () => true,
    async (url) => {
      const connection = openFrames(url.href, {
        begin: Buffer.concat([preface, settings(), headers(1, requestFields(url.pathname))]),
      });
      if (isReading) await connection.until(() => true);
      connection.socket.end();
      await connection.ended;
    },
  );
  expect(steps.filter(isBlamed)).toEqual([]);
});

test.each([
  ['SETTINGS_TIMEOUT', 4, 'odd-ping'],
  ['ENHANCE_YOUR_CALM', 11, 'odd-empty-data'],
  ['ENHANCE_YOUR_CALM', 11, 'odd-continuation'],
])('GOAWAY with %s is unclear where a client must accept', async (code, number, name) => {
  const step = await judge(name, {
    async act(connection) {
      await connection.until(isOf(frameTypes.headers, 1));
      connection.send(goaway(number));
    },
  });
  expect(step).toMatchObject({ outcome: 'unclear', verdict: 'unclear' });
  expect(step.evidence).toContain(`It sent GOAWAY with ${code}.`);
});

test.each([
  ['CANCEL', 'unclear', 8],
  ['STREAM_CLOSED', 'broken', 5],
])('RST_STREAM with %s after ours is %s', async (_code, verdict, number) => {
  const step = await judge('rst-refused-stream', {
    async act(connection) {
      await connection.until(isOf(frameTypes.rstStream, 1));
      connection.send(rstStream(1, number));
      const ping = await connection.until(isOf(frameTypes.ping));
      connection.send(frame(frameTypes.ping, flags.ack, 0, ping?.payload));
      await connection.until(isOf(frameTypes.goaway));
    },
  });
  expect(step.verdict).toBe(verdict);
});

test.each(['data', 'headers', 'rst', 'window'])(
  'a client that begins with stream 301 gets %s on a later one, which is idle',
  async (what) => {
    const types = { data: 0, headers: 1, rst: 3, window: 8 } as const;
    const met = judge(`${what}-on-idle-stream`, {
      stream: 301,
      async act(connection) {
        const sent = await connection.until(isOf(types[what as keyof typeof types], 401));
        expect(sent).toBeDefined();
        connection.send(goaway(1));
      },
    });
    expect(await met).toMatchObject({ verdict: 'kept' });
  },
);

test('a client without a table gets no index of one, and its size first', async () => {
  const step = await judge('odd-dynamic-table', {
    begin: settings([1, 0]),
    act: async (connection) => void (await connection.until(isOf(frameTypes.goaway))),
  });
  expect(step).toMatchObject({
    outcome: 'not-reached',
    evidence: 'The table of the client is too small.',
  });
  let first: number | undefined;
  await judge('frame-data-too-large', {
    begin: settings([1, 0]),
    async act(connection) {
      first = (await connection.until(isOf(frameTypes.headers, 1)))?.payload[0];
      connection.send(rstStream(1, 6));
    },
  });
  // A size of 0: RFC 7541 section 6.3.
  expect(first).toBe(0x20);
});
