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

const call = (misbehave: string, more: Readonly<Record<string, string>> = {}) =>
  callRaw(service.url, sum, { headers: { 'x-misbehave': misbehave, ...more }, body });

describe('a misbehaviour on the wire', () => {
  test('trailers only', async () => {
    const { headers: head, trailers, body: bytes } = await call('trailers-only');
    expect(head).toMatchObject({ 'grpc-status': '10', 'x-simulated': 'true' });
    expect([trailers, bytes.length]).toEqual([{}, 0]);
  });

  test('no status', async () => {
    const { headers: head, trailers, body: bytes } = await call('no-status');
    expect([head['grpc-status'], trailers['grpc-status']]).toEqual([undefined, undefined]);
    expect(trailers['x-trailer']).toBe('no status');
    expect(bytes).toEqual(right);
  });

  test('two statuses that differ, and an unknown one', async () => {
    const two = await call('two-statuses');
    expect([two.headers['grpc-status'], two.trailers['grpc-status']]).toEqual(['0', '13']);
    expect((await call('unknown-status')).trailers['grpc-status']).toBe('99');
  });

  test('an error of HTTP with HTML, and another content type', async () => {
    const html = await call('html-error');
    expect(html.headers).toMatchObject({ ':status': 502, 'content-type': 'text/html' });
    expect(String(html.body)).toBe('<h1>Bad gateway</h1>');
    const text = await call('wrong-type');
    expect(text.headers).toMatchObject({ ':status': 200, 'content-type': 'text/plain' });
  });

  test('lengths that are wrong', async () => {
    const { length } = right.subarray(5);
    const long = await call('long-length');
    expect([long.body.readUInt32BE(1), long.body.length]).toEqual([length + 10, 5 + length]);
    const short = await call('short-length');
    expect(short.body.readUInt32BE(1)).toBeLessThan(short.body.length - 5);
  });

  test('compression that is not announced, and an encoding that does not exist', async () => {
    const flag = await call('compressed-flag');
    expect([flag.headers['grpc-encoding'], flag.body[0]]).toEqual([undefined, 1]);
    const unknown = await call('unknown-encoding');
    expect([unknown.headers['grpc-encoding'], unknown.body[0]]).toEqual(['practice', 1]);
  });

  test('two messages, and half a message before a reset', async () => {
    expect((await call('two-messages')).body).toEqual(Buffer.concat([right, right]));
    const half = await call('half-message');
    expect([half.code, half.body.length, half.body.readUInt32BE(1)]).toEqual([2, 32, 64]);
  });

  test('a message after the status', async () => {
    const { headers: head, trailers, body: bytes } = await call('message-after-status');
    expect([head['grpc-status'], trailers, bytes]).toEqual(['0', {}, right]);
  });

  test('messages of the status that cannot be decoded', async () => {
    expect((await call('bad-utf8')).trailers['grpc-message']).toBe('half %FF%FE and a rest');
    expect((await call('bad-percent')).trailers['grpc-message']).toBe('100% of %zz');
  });

  test('metadata of 9 KiB', async () => {
    expect((await call('large-metadata')).headers['x-large']).toHaveLength(9 * 1024);
  });

  test.each([
    ['pushback-positive', '1500'],
    ['pushback-negative', '-1'],
    ['pushback-unparsable', 'soon'],
  ])('%s', async (name, value) => {
    const { headers: head } = await call(name);
    expect(head).toMatchObject({ 'grpc-status': '14', 'grpc-retry-pushback-ms': value });
  });

  test.each([
    ['protocol-error', 1],
    ['internal-error', 2],
    ['flow-control-error', 3],
    ['settings-timeout', 4],
    ['stream-closed', 5],
    ['frame-size-error', 6],
    ['refused-stream', 7],
    ['cancel', 8],
    ['compression-error', 9],
    ['connect-error', 10],
    ['enhance-your-calm', 11],
    ['inadequate-security', 12],
    ['http-1-1-required', 13],
    ['no-error', 0],
  ])('RST_STREAM with %s', async (name, code) => {
    const connection = open(`reset-${name}`);
    const reset = await connection.until(isOf(frameTypes.rstStream));
    expect(reset && codeOf(reset)).toBe(code);
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
    expect(statusOf(await call('maybe')).code).toBe(3);
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
    ['800m', 'handled'],
    ['9S', 'mishandled'],
    [undefined, 'mishandled'],
  ])('a second deadline of %s is %s', async (timeout, outcome) => {
    const run = await startRun(`deadline-${outcome}-${timeout}`, 'deadline-passed-on');
    expect((await run.read()).outcome).toBe('not-reached');
    await run.call({ 'grpc-timeout': '1S' });
    expect((await run.read()).outcome).toBe('unclear');
    await run.call(timeout === undefined ? {} : { 'grpc-timeout': timeout });
    expect((await run.read()).outcome).toBe(outcome);
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
