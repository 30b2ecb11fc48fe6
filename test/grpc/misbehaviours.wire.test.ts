/** Each misbehaviour as frames, the test plan, the script, and the judge. */

import { connect, constants } from 'node:http2';
import { afterEach, describe, expect, test } from 'vitest';
import { SumReplySchema, SumRequestSchema } from '../../src/areas/grpc/generated/addsvc_pb.js';
import {
  EchoRequestSchema,
  EchoResponseSchema,
} from '../../src/areas/grpc/generated/practice/v1/echo_pb.js';
import {
  BookSchema,
  GetRequestSchema,
  ListBooksResponseSchema,
  ListRequestSchema,
  UpdateBookRequestSchema,
} from '../../src/areas/grpc/generated/practice/v1/records_pb.js';
import { HpackDecoder } from '../../src/areas/http2/frames/hpack.js';
import { callRaw, messageOf, messagesIn, statusOf } from '../support/grpc-call.js';
import {
  codeOf,
  data,
  type Frame,
  type FrameConnection,
  flags,
  frameTypes,
  headers,
  isOf,
  openFrames,
  ping,
  requestFields,
  rstStream,
} from '../support/http2-frames.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const sum = '/addsvc.Add/Sum';
const body = messageOf(SumRequestSchema, { a: 3n, b: 4n });
const right = messageOf(SumReplySchema, { v: 7n });

/** Fields of a head that cases are about; a long value by its length. */
const isShown = (name: string) =>
  /^(?::status|content-type|grpc-(?!accept)|x-trailer|x-large)/.test(name);
const long = 100;

function textOf({ type, flags: bits, payload }: Frame, decoder: HpackDecoder): string {
  const end = bits & flags.endStream ? ' END_STREAM' : '';
  if (type === frameTypes.rstStream) return `RST_STREAM ${payload.readUInt32BE(0)}`;
  if (type === frameTypes.data) return `DATA ${payload.toString('hex')}${end}`;
  const fields = decoder.decode(payload).filter(([name]) => isShown(name));
  const shown = fields.map(([name, value]) =>
    value.length > long ? `${name}: ${value.length} bytes` : `${name}: ${value}`,
  );
  return `HEADERS ${shown.join(', ')}${end}`;
}

const head = 'HEADERS :status: 200, content-type: application/grpc';
const message = `DATA ${right.toString('hex')}`;
const ok = 'HEADERS grpc-status: 0 END_STREAM';
const onlyHead = (fields: string) => [
  `HEADERS :status: 200, ${fields}, content-type: application/grpc END_STREAM`,
];
const pushback = (value: string) =>
  onlyHead(
    `grpc-status: 14, grpc-message: The service pushes back., grpc-retry-pushback-ms: ${value}`,
  );
/** The same message with another flag, or another length in its prefix. */
const messageWith = (prefix: string, more = '') =>
  `DATA ${prefix}${right.subarray(5).toString('hex')}${more}`;

/** The frames of the stream that each case consists of. */
const frames: Readonly<Record<string, readonly string[]>> = {
  'trailers-only': onlyHead('grpc-status: 10, grpc-message: The only head has the status.'),
  'no-status': [head, message, 'HEADERS x-trailer: no status END_STREAM'],
  'two-statuses': [
    `${head}, grpc-status: 0`,
    message,
    'HEADERS grpc-status: 13, grpc-message: The trailers count. END_STREAM',
  ],
  'unknown-status': [head, 'HEADERS grpc-status: 99 END_STREAM'],
  'html-error': [
    'HEADERS :status: 502, content-type: text/html',
    `DATA ${Buffer.from('<h1>Bad gateway</h1>').toString('hex')} END_STREAM`,
  ],
  'wrong-type': [
    'HEADERS :status: 200, content-type: text/plain',
    `DATA ${Buffer.from('ok').toString('hex')} END_STREAM`,
  ],
  'long-length': [head, messageWith('000000000c'), ok],
  'short-length': [head, messageWith('0000000000', 'ff'.repeat(10)), ok],
  'compressed-flag': [head, messageWith('0100000002'), ok],
  'unknown-encoding': [`${head}, grpc-encoding: practice`, messageWith('0100000002'), ok],
  'two-messages': [head, `${message}${right.toString('hex')}`, ok],
  'half-message': [head, `DATA 0000000040${'00'.repeat(27)}`, 'RST_STREAM 2'],
  'message-after-status': [`${head}, grpc-status: 0`, `${message} END_STREAM`],
  'bad-utf8': [head, 'HEADERS grpc-status: 13, grpc-message: half %FF%FE and a rest END_STREAM'],
  'bad-percent': [head, 'HEADERS grpc-status: 13, grpc-message: 100% of %zz END_STREAM'],
  'large-metadata': [`${head}, x-large: 9216 bytes`, message, ok],
  'pushback-positive': pushback('1500'),
  'pushback-negative': pushback('-1'),
  'pushback-unparsable': pushback('soon'),
  'reset-no-error': ['RST_STREAM 0'],
  'reset-protocol-error': ['RST_STREAM 1'],
  'reset-internal-error': ['RST_STREAM 2'],
  'reset-flow-control-error': ['RST_STREAM 3'],
  'reset-settings-timeout': ['RST_STREAM 4'],
  'reset-stream-closed': ['RST_STREAM 5'],
  'reset-frame-size-error': ['RST_STREAM 6'],
  'reset-refused-stream': ['RST_STREAM 7'],
  'reset-cancel': ['RST_STREAM 8'],
  'reset-compression-error': ['RST_STREAM 9'],
  'reset-connect-error': ['RST_STREAM 10'],
  'reset-enhance-your-calm': ['RST_STREAM 11'],
  'reset-inadequate-security': ['RST_STREAM 12'],
  'reset-http-1-1-required': ['RST_STREAM 13'],
};

/** Cases that are about the connection, or about later frames. */
const aboutConnections = ['endless-stream', 'goaway', 'goaway-before', 'no-ping-response'];

describe('a misbehaviour on the wire', () => {
  test('each case of the plan is here', async () => {
    const { json } = await send('GET /grpc/test-plan');
    const cases = (json as { case: string; kind: string }[]).filter(
      ({ kind }) => kind === 'misbehaviour',
    );
    const all = [...Object.keys(frames), ...aboutConnections];
    expect(cases.map((each) => each.case).sort()).toEqual(all.sort());
  });

  test.each(Object.entries(frames))('%s', async (name, expected) => {
    const connection = open(name);
    const isLast = (each: Frame) =>
      each.stream === 1 &&
      (each.type === frameTypes.rstStream || (each.flags & flags.endStream) > 0);
    expect(await connection.until(isLast)).toBeDefined();
    const decoder = new HpackDecoder(64 * 1024);
    const texts: string[] = [];
    for (const each of connection.frames.filter(({ stream }) => stream === 1)) {
      const text = textOf(each, decoder);
      // Node may split bytes into any number of frames.
      const isMore = text.startsWith('DATA ') && texts.at(-1)?.startsWith('DATA ');
      if (isMore) texts.push(`${texts.pop()}${text.slice('DATA '.length)}`);
      else texts.push(text);
    }
    expect(texts).toEqual(expected);
  });

  let opened: FrameConnection[] = [];
  afterEach(() => {
    for (const each of opened) each.socket.destroy();
    opened = [];
  });

  const begin = (
    stream: number,
    misbehave: string,
    more: readonly (readonly [string, string])[] = [],
  ) => [
    headers(
      stream,
      requestFields(sum, 'POST', [
        ['content-type', 'application/grpc'],
        ['te', 'trailers'],
        ...(misbehave === '' ? [] : ([['x-misbehave', misbehave]] as const)),
        ...more,
      ]),
      flags.endHeaders,
    ),
    data(stream, body, flags.endStream),
  ];

  function open(misbehave: string, more: readonly (readonly [string, string])[] = []) {
    const connection = openFrames(service.url);
    opened.push(connection);
    connection.send(...begin(1, misbehave, more));
    return connection;
  }

  test('GOAWAY, with a later call above its last stream', async () => {
    const connection = open('goaway');
    connection.send(...begin(3, ''));
    const goaway = await connection.until(isOf(frameTypes.goaway));
    expect(goaway?.payload.readUInt32BE(0)).toBe(1);
    const ended = await connection.until(
      ({ type, stream, flags: bits }) =>
        type === frameTypes.headers && stream === 1 && (bits & flags.endStream) > 0,
    );
    expect(ended).toBeDefined();
    const later = connection.frames.filter(({ stream }) => stream === 3);
    expect(later.filter(({ type }) => type === frameTypes.headers)).toEqual([]);
  });

  test('GOAWAY for calls that were not processed', async () => {
    const connection = open('goaway-before');
    const goaway = await connection.until(isOf(frameTypes.goaway));
    expect(goaway && codeOf(goaway)).toBe(0);
    expect(connection.frames.some(({ type }) => type === frameTypes.headers)).toBe(false);
  });

  test('a PING without a response', async () => {
    const connection = open('no-ping-response');
    // The service reads up to the call, and stops when it handles it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    connection.send(ping(Buffer.from('practice')));
    const other = openFrames(service.url);
    opened.push(other);
    other.send(ping(Buffer.from('practice')));
    expect(await other.until(isOf(frameTypes.ping))).toBeDefined();
    expect(connection.frames.some(({ type }) => type === frameTypes.ping)).toBe(false);
  });

  test('a stream that does not end, until the client leaves', async () => {
    const connection = open('endless-stream', [['x-messages', 'many']]);
    await connection.until(isOf(frameTypes.data));
    connection.send(rstStream(1));
    connection.send(ping());
    await connection.until(isOf(frameTypes.ping));
    const ended = connection.frames.some(
      ({ flags: bits, stream }) => stream === 1 && (bits & flags.endStream) > 0,
    );
    expect(ended).toBe(false);
  });

  test('an unknown one is INVALID_ARGUMENT, and one over HTTP/1.1 FAILED_PRECONDITION', async () => {
    const headers = { 'x-misbehave': 'maybe' };
    expect(statusOf(await callRaw(service.url, sum, { headers, body })).code).toBe(3);
    const response = await fetch(service.url + sum, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web', 'x-misbehave': 'no-status' },
      body,
    });
    expect(response.headers.get('grpc-status')).toBe('9');
  });
});

test('more than 60 PINGs in two seconds without a call end in too_many_pings', async () => {
  const connection = openFrames(service.url);
  connection.send(...Array.from({ length: 61 }, () => ping()));
  const goaway = await connection.until(isOf(frameTypes.goaway));
  expect(goaway && codeOf(goaway)).toBe(11);
  expect(String(goaway?.payload.subarray(8))).toBe('too_many_pings');
  connection.socket.destroy();
});

describe('the settings of a sandbox', () => {
  const own = { 'x-sandbox': 'script' };

  test('script the next calls', async () => {
    const script = ['trailers-only', null];
    const set = await send('PUT /api/sandbox/grpc', { headers: own, json: { script } });
    expect(set.json).toEqual({ misbehave: null, script });
    const codes: number[] = [];
    for (let count = 0; count < 3; count++) {
      codes.push(statusOf(await callRaw(service.url, sum, { headers: own, body })).code);
    }
    expect(codes).toEqual([10, 0, 0]);
    await send('PUT /api/sandbox/grpc', { headers: own, json: { misbehave: 'html-error' } });
    const response = await callRaw(service.url, sum, { headers: own, body });
    expect(response.headers[':status']).toBe(502);
  });

  test('reject an unknown name, and need a sandbox', async () => {
    const json = { misbehave: 'maybe' };
    expect((await send('PUT /api/sandbox/grpc', { headers: own, json })).status).toBe(400);
    expect((await send('PUT /api/sandbox/grpc', { json })).status).toBe(403);
  });
});

describe('a run of the test plan', () => {
  const echo = '/practice.v1.Echo/Unary';
  const empty = messageOf(EchoRequestSchema);
  const callHeaders = (path: string) => ({
    ...{ ':method': 'POST', ':path': path },
    ...{ 'content-type': 'application/grpc', te: 'trailers' },
  });

  async function startRun(sandbox: string, name: string) {
    const own = { 'x-sandbox': sandbox };
    const started = await send('POST /grpc/test-plan/runs', {
      headers: own,
      json: { cases: [name] },
    });
    const [{ metadata }] = started.json;
    const path = new URL(String(started.headers.location)).pathname;
    return {
      metadata: { ...own, ...metadata },
      call: (more: Readonly<Record<string, string>> = {}) =>
        callRaw(service.url, echo, { headers: { ...own, ...metadata, ...more }, body: empty }),
      read: async () => (await send(`GET ${path}`, { headers: own })).json[0],
      report: (outcome: string) => send(`PUT ${path}/${name}`, { headers: own, json: { outcome } }),
    };
  }

  test.each([
    ['5S', '4S', 'handled'],
    // Rounded up, by at most 5 %.
    ['5S', '4700m', 'handled'],
    ['5S', '4999m', 'mishandled'],
    ['5S', '5S', 'mishandled'],
    ['5S', '9S', 'mishandled'],
    ['5S', undefined, 'mishandled'],
    // The C core repeats a timeout of 100 s when 97 s are left.
    ['100S', '100S', 'unclear'],
    ['100S', '90S', 'unclear'],
    ['100S', undefined, 'mishandled'],
  ])('after a deadline of %s, %s is %s', async (first, timeout, outcome) => {
    const run = await startRun(`deadline-${outcome}-${first}-${timeout}`, 'deadline-passed-on');
    expect((await run.read()).outcome).toBe('not-reached');
    await run.call({ 'grpc-timeout': first });
    expect((await run.read()).outcome).toBe('unclear');
    await run.call(timeout === undefined ? {} : { 'grpc-timeout': timeout });
    expect((await run.read()).outcome).toBe(outcome);
  });

  test('a second call before the response to the first is unclear', async () => {
    const run = await startRun('deadline-early', 'deadline-passed-on');
    const first = run.call({ 'grpc-timeout': '30S' });
    await expect.poll(async () => (await run.read()).outcome).toBe('unclear');
    await run.call({ 'grpc-timeout': '30S' });
    expect((await run.read()).outcome).toBe('unclear');
    await first;
  });

  test('a value of the trailers must be returned', async () => {
    const run = await startRun('trailers', 'trailers-read');
    const first = await run.call();
    await run.call({ 'x-value': String(first.trailers['x-value']) });
    expect((await run.read()).outcome).toBe('handled');
    const other = await startRun('trailers', 'trailers-read');
    await other.call();
    await other.call({ 'x-value': 'guess' });
    expect((await other.read()).outcome).toBe('mishandled');
  });

  test('a message of nearly 4 MiB', async () => {
    const run = await startRun('maximal', 'maximal-message');
    const { body: bytes } = await run.call();
    expect(bytes.length).toBeGreaterThan(4_190_000);
    const [message] = messagesIn(EchoResponseSchema, bytes);
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(message?.data ?? []));
    await run.call({ 'x-value': Buffer.from(digest).toString('hex') });
    expect((await run.read()).outcome).toBe('handled');
  });

  test('a call that waits for a connection', async () => {
    const run = await startRun('ready', 'wait-for-ready');
    await run.call();
    await run.call();
    expect((await run.read()).outcome).toBe('handled');
  });

  test('a call that its client cancels, and a call that ends otherwise', async () => {
    const run = await startRun('cancelled', 'cancel-passed-on');
    const session = connect(service.url);
    const stream = session.request({ ...callHeaders(echo), ...run.metadata });
    stream.on('error', () => {});
    stream.end(empty);
    await expect.poll(async () => (await run.read()).outcome).toBe('unclear');
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(async () => (await run.read()).outcome).toBe('handled');
    expect((await run.read()).evidence).toBe('The client has cancelled the call.');
    session.close();
    const other = await startRun('not-cancelled', 'cancel-passed-on');
    expect(statusOf(await other.call({ 'grpc-timeout': '50m' })).code).toBe(4);
    expect((await other.read()).outcome).toBe('unclear');
  });

  test('a run ends by the clock of the sandbox, and a deadline by real time', async () => {
    const run = await startRun('clock', 'no-status');
    const clock = { headers: { 'x-sandbox': 'clock' }, json: { offsetSeconds: 86_399 } };
    await send('PUT /api/sandbox/clock', clock);
    expect(statusOf(await run.call()).code).toBe(-1);
    const slow = messageOf(EchoRequestSchema, { delay: { seconds: 60n } });
    const headers = { 'x-sandbox': 'clock', 'grpc-timeout': '3600S' };
    const waiting = callRaw(service.url, echo, { headers, body: slow });
    const late = callRaw(service.url, echo, {
      headers: { ...headers, 'grpc-timeout': '100m' },
      body: slow,
    });
    await send('PUT /api/sandbox/clock', { ...clock, json: { offsetSeconds: 2 * 86_400 } });
    expect(statusOf(await run.call()).code).toBe(5);
    expect(statusOf(await late).code).toBe(4);
    // The clock has passed this deadline, and the call still waits.
    const first = await Promise.race([waiting.then(() => 'ended'), run.call().then(() => 'open')]);
    expect(first).toBe('open');
  });

  test('a misbehaviour is met, and the test reports the rest', async () => {
    const run = await startRun('reported', 'no-status');
    expect(statusOf(await run.call()).code).toBe(-1);
    expect((await run.read()).outcome).toBe('unclear');
    await run.report('mishandled');
    expect((await run.read()).outcome).toBe('mishandled');
    const { json } = await send('GET /api/sandbox/verdicts', {
      headers: { 'x-sandbox': 'reported' },
    });
    expect(JSON.stringify(json)).toContain('grpc-plan-no-status');
  });

  test('an unknown run is NOT_FOUND', async () => {
    const own = { 'x-sandbox': 'a', 'x-test-run': 'run_x/no-status' };
    expect(statusOf(await callRaw(service.url, echo, { headers: own })).code).toBe(5);
  });
});

describe('the judge', () => {
  async function outcomes(sandbox: string): Promise<Record<string, string>> {
    const { json } = await send('GET /api/sandbox/grpc/findings', {
      headers: { 'x-sandbox': sandbox },
    });
    const all = json.rules as { rule: string; outcome: string }[];
    return Object.fromEntries(
      all
        .filter(({ outcome }) => outcome !== 'not-reached')
        .map(({ rule, outcome }) => [rule, outcome]),
    );
  }
  const timed = { 'grpc-timeout': '5S' };

  test('finds nothing wrong in right calls', async () => {
    const own = { 'x-sandbox': 'right', ...timed };
    const list = await callRaw(service.url, '/practice.v1.Books/List', { headers: own });
    const [page] = messagesIn(ListBooksResponseSchema, list.body);
    const next = messageOf(ListRequestSchema, { pageToken: page?.nextPageToken ?? '' });
    await callRaw(service.url, '/practice.v1.Books/List', { headers: own, body: next });
    const get = messageOf(GetRequestSchema, { id: 1 });
    const got = await callRaw(service.url, '/practice.v1.Books/Get', { headers: own, body: get });
    const [book] = messagesIn(BookSchema, got.body);
    const change = messageOf(UpdateBookRequestSchema, {
      book: { id: 1, price: 2, etag: book?.etag ?? '' },
    });
    await callRaw(service.url, '/practice.v1.Books/Update', { headers: own, body: change });
    expect(await outcomes('right')).toEqual({
      'deadline-sent': 'kept',
      'page-token-unchanged': 'kept',
      'etag-on-update': 'kept',
    });
  });

  test('finds missing deadlines and etags, and page tokens that were changed', async () => {
    const own = { 'x-sandbox': 'wrong' };
    const change = messageOf(UpdateBookRequestSchema, { book: { id: 1, price: 2 } });
    await callRaw(service.url, '/practice.v1.Books/Update', { headers: own, body: change });
    const next = messageOf(ListRequestSchema, { pageToken: '20' });
    await callRaw(service.url, '/practice.v1.Books/List', { headers: own, body: next });
    expect(await outcomes('wrong')).toEqual({
      'deadline-sent': 'against-advice',
      'page-token-unchanged': 'broken',
      'etag-on-update': 'against-advice',
    });
    const forged = messageOf(ListRequestSchema, { pageToken: 'AAAAAAAAAAAAAAAA20' });
    const other = { 'x-sandbox': 'forged', ...timed };
    await callRaw(service.url, '/practice.v1.Books/List', { headers: other, body: forged });
    expect((await outcomes('forged'))['page-token-unchanged']).toBe('unclear');
  });

  test.each([
    ['pushback-negative', 100, 'pushback-obeyed', 'broken'],
    ['pushback-positive', 100, 'pushback-obeyed', 'broken'],
    ['pushback-positive', 1_600, 'pushback-obeyed', 'kept'],
    ['two-statuses', 100, 'no-retry-after-message', 'broken'],
    ['reset-refused-stream', 100, 'no-retry-after-message', 'kept'],
  ])('a retry after %s and %i ms: %s is %s', async (misbehave, ms, rule, outcome) => {
    const sandbox = `${misbehave}-${ms}-${outcome}`;
    const own = { 'x-sandbox': sandbox, ...timed };
    await callRaw(service.url, sum, { headers: { ...own, 'x-misbehave': misbehave }, body });
    await new Promise((resolve) => setTimeout(resolve, ms));
    await callRaw(service.url, sum, {
      headers: { ...own, 'grpc-previous-rpc-attempts': '1' },
      body,
    });
    expect((await outcomes(sandbox))[rule]).toBe(outcome);
  });

  test('finds PINGs without a call, and few of them are right', async () => {
    const begin = (sandbox: string) => {
      const connection = openFrames(service.url);
      const head = requestFields(sum, 'POST', [
        ['content-type', 'application/grpc'],
        ['te', 'trailers'],
        ['x-sandbox', sandbox],
        ['grpc-timeout', '5S'],
      ]);
      connection.send(headers(1, head, flags.endHeaders), data(1, body, flags.endStream));
      return connection;
    };
    const isEnd = ({ type, flags: bits }: Frame) =>
      type === frameTypes.headers && (bits & flags.endStream) > 0;
    const [many, few] = [begin('many-pings'), begin('few-pings')];
    await Promise.all([many.until(isEnd), few.until(isEnd)]);
    few.send(...Array.from({ length: 60 }, () => ping()));
    many.send(...Array.from({ length: 61 }, () => ping()));
    expect(await many.until(isOf(frameTypes.goaway))).toBeDefined();
    await expect
      .poll(() => outcomes('many-pings'))
      .toEqual({
        'deadline-sent': 'kept',
        'keepalive-pings': 'against-advice',
      });
    await expect
      .poll(() => few.frames.filter(({ type }) => type === frameTypes.ping).length)
      .toBe(60);
    expect(await outcomes('few-pings')).toEqual({ 'deadline-sent': 'kept' });
    for (const each of [many, few]) each.socket.destroy();
  });

  test('credits a retry to the earliest failure that explains it', async () => {
    const own = { 'x-sandbox': 'credited', ...timed };
    const failing = (misbehave: string) =>
      callRaw(service.url, sum, { headers: { ...own, 'x-misbehave': misbehave }, body });
    // Two equal calls: one may be repeated at once, the other never.
    await failing('reset-refused-stream');
    await failing('pushback-negative');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const again = { ...own, 'grpc-previous-rpc-attempts': '1' };
    await callRaw(service.url, sum, { headers: again, body });
    expect(await outcomes('credited')).not.toHaveProperty('pushback-obeyed');
    // A third attempt follows another second one, which has not failed.
    const third = { ...own, 'grpc-previous-rpc-attempts': '2' };
    await callRaw(service.url, sum, { headers: third, body });
    // Another credential is another client.
    const other = { ...again, authorization: 'Bearer other' };
    await failing('two-statuses');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await callRaw(service.url, sum, { headers: other, body });
    expect(Object.values(await outcomes('credited'))).not.toContain('broken');
  });

  test('does not blame a retry on a new connection, after one without responses', async () => {
    const own = { 'x-sandbox': 'silent', ...timed };
    const silent = openFrames(service.url);
    const head = requestFields(sum, 'POST', [
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
      ...Object.entries({ ...own, 'x-misbehave': 'no-ping-response' }),
    ]);
    silent.send(headers(1, head, flags.endHeaders), data(1, body, flags.endStream));
    await expect.poll(() => outcomes('silent')).toEqual({ 'deadline-sent': 'kept' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    silent.socket.destroy();
    const again = { ...own, 'grpc-previous-rpc-attempts': '1' };
    await callRaw(service.url, sum, { headers: again, body });
    expect((await outcomes('silent'))['no-retry-after-message']).toBe('kept');
  });

  test('counts attempts, and judges retries of processed calls', async () => {
    const own = { 'x-sandbox': 'attempts', ...timed, 'grpc-previous-rpc-attempts': '5' };
    await callRaw(service.url, sum, { headers: own, body });
    expect((await outcomes('attempts'))['attempts-bounded']).toBe('against-advice');
    const bad = messageOf(UpdateBookRequestSchema, { book: { id: 1, price: -1 } });
    const failing = { headers: { 'x-sandbox': 'unsafe', ...timed }, body: bad };
    await callRaw(service.url, '/practice.v1.Books/Create', failing);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const again = { ...failing.headers, 'grpc-previous-rpc-attempts': '1' };
    await callRaw(service.url, '/practice.v1.Books/Create', { ...failing, headers: again });
    expect((await outcomes('unsafe'))['safe-retries']).toBe('against-advice');
  });
});
