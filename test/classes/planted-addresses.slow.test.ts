/**
 * Addresses of pupils and accounts, planted wherever a request has room, and each place where others
 * can read of that request.
 */

import { get } from 'node:http';
import { expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { type HttpResponse, useService } from '../support/service.js';
import { callAt, newClass } from './school.js';

const service = useService();
const strict = useService({ accounts: 'required', signUpsPerHour: 1000, accountQuota: 5000 });

const inHex = (text: string) =>
  [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');

/** The forms in which a path can be written in a header, a query or a URL. */
const forms: Readonly<Record<string, (path: string) => string>> = {
  plain: (path) => path,
  'in a URL': (path) => `https://example.com${path}/api/Books?x=1`,
  'with the other letter': (path) => path.replace('/s/', '/S/'),
  'with an encoded letter': (path) => path.replace('/s/', '/%73/'),
  'with an encoded tilde': (path) => path.replace('~', '%7E'),
  'with an encoded secret': (path) => `/s/~${inHex(path.slice('/s/~'.length))}`,
  'encoded once': encodeURIComponent,
  'encoded in lower case': (path) => path.replace('/s/~', '%2fs%2f%7e'),
  'encoded twice': (path) => encodeURIComponent(inHex(path)),
  'encoded three times': (path) => encodeURIComponent(encodeURIComponent(inHex(path))),
  'encoded, and its digits too': (path) => inHex(inHex(path)),
  repeated: (path) => path.repeat(3),
  'nested in a query': (path) =>
    `/a?next=${encodeURIComponent(`/b?next=${encodeURIComponent(`/c?next=${path}`)}`)}`,
};

const headerNames = [
  ...['Referer', 'Origin', 'X-Forwarded-Prefix', 'X-Forwarded-Uri', 'X-Original-URL'],
  ...['X-Rewrite-URL', 'Link', 'Location', 'Content-Location', 'Destination', 'SOAPAction'],
  ...['User-Agent', 'Cookie', 'From', 'Via', 'Idempotency-Key', 'If-None-Match', 'X-Anything'],
];

interface Planted {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: string;
  readonly subPath: string;
}

/** Plants a path in every header, as a value and as a name of the query, and in segments. */
function plant(path: string, write: (path: string) => string): Planted {
  const text = write(path);
  const claims = Buffer.from(JSON.stringify({ iss: `http://localhost${path}/oidc` }));
  return {
    headers: [
      ...headerNames.map((name) => [name, text] as const),
      ['Authorization', `Bearer e30.${claims.toString('base64url')}.x`],
      ['X-Request-Id', text],
    ],
    query: `to=${text}&sort=${text}&${text.replace(/[=&?#]/g, '')}=1&bare`,
    subPath: `/${text.replace(/[?#]/g, encodeURIComponent)}`,
  };
}

const secretOf = (path: string) => path.slice('/s/~'.length);

/** Returns whether a text has the secret, however it is encoded. */
function shows(text: string, secret: string): boolean {
  let decoded = text;
  for (let before = ''; before !== decoded; ) {
    before = decoded;
    decoded = decoded.replace(/%([0-7][\da-f])/gi, (_all, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const tokens = text.match(/[\w-]{30,}/g) ?? [];
  return [decoded, ...tokens.map((each) => Buffer.from(each, 'base64url').toString())].some(
    (each) => each.includes(secret),
  );
}

/** Texts of a place that others read. */
interface Place {
  readonly name: string;
  readonly text: string;
  /** Shows that the planted request is in it. */
  readonly reached: RegExp | string;
}

function expectSilence(places: readonly Place[], secret: string): void {
  const unreached = places.filter(({ text, reached }) => !new RegExp(reached).test(text));
  expect(unreached).toEqual([]);
  expect(places.filter(({ text }) => shows(text, secret))).toEqual([]);
}

test('the search finds each form', () => {
  const path = `/s/~${'Ab-_5678901234567890zZ'}`;
  for (const [name, write] of Object.entries(forms)) {
    const { headers, query, subPath } = plant(path, write);
    const texts = [...headers.map(([, value]) => value), query, subPath];
    for (const text of texts) expect([name, shows(text, secretOf(path))]).toEqual([name, true]);
  }
});

/** Reads a bin in each way, below a base URL. */
async function readBin(base: string, id: string) {
  const path = `/api/webhooks/bins/${id}`;
  const read = async (rest: string) => (await callAt(base, `GET ${path}${rest}`)).text;
  return {
    bin: await read(''),
    list: await read('/requests'),
    capture: await read('/requests/1'),
    events: await firstEvent(`${base}${path}/events?lastEventId=0`),
  };
}

function firstEvent(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (!text.includes('"bodySize"') && response.statusCode === 200) return;
        request.destroy();
        resolve(text);
      });
    });
    request.on('error', reject);
  });
}

const shown = (response: HttpResponse) => response.text + JSON.stringify(response.headers);

test.each(Object.entries(forms))('a pupil’s address, %s', async (_name, write) => {
  const { join, teach } = await newClass(service);
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  const path = new URL(ada.address).pathname;
  const secret = secretOf(path);
  const { headers, query, subPath } = plant(path, write);
  const sent = { headers };

  const own = (await ben.call('POST /api/webhooks/bins', { json: {} })).json;
  const bin = (await service.send('POST /api/webhooks/bins', { json: {} })).json;
  for (const { id } of [bin, own]) {
    const target = `POST /api/webhooks/${id}/x${subPath}?${query}`;
    const captured = await ada.call(target, { ...sent, body: 'reached' });
    expect([captured.status, captured.text]).toEqual([200, expect.any(String)]);
  }
  const places: Place[] = [];
  for (const [base, { id }] of [
    [service.url, bin],
    [ben.address, own],
  ] as const) {
    const read = await readBin(base, id);
    for (const [name, text] of Object.entries(read)) {
      places.push({ name: `bin, ${name}`, text, reached: /"body":"reached"|"subPath":"\/x/ });
      places.push({ name: `bin, ${name}`, text, reached: '…' });
    }
  }
  const rules = [{ match: { path: '/httpbin/*' }, sequence: [{ status: 503 }], then: 'last' }];
  expect((await ada.call('PUT /api/sandbox/faults', { json: { rules } })).status).toBe(200);
  await ada.call(`POST /httpbin/anything${subPath}?${query}`, sent);
  await ada.call(`POST /httpbin/post?${query}`, sent);
  await ada.call(`GET /api/Books?${query}`, sent);
  await ada.call(`GET /api/http/cache/page?vary=Referer,X-Anything&${query}`, sent);
  const errors = [
    await ada.call(`GET ${subPath}?${query}`, sent),
    await ada.call(`GET /api/Books/${encodeURIComponent(write(path))}`, sent),
    await ada.call(`GET /api/Books?limit=${encodeURIComponent(write(path))}`, sent),
    await ada.call(`PATCH /api/methods/get${subPath}`, sent),
    await ada.call(`GET /oidc${subPath}`, sent),
  ];
  for (const error of errors) {
    expect(error.status).toBeGreaterThanOrEqual(400);
    places.push({ name: 'error', text: shown(error), reached: '"message"' });
  }
  const log = await ada.call('GET /api/sandbox/faults/log');
  const hits = await ada.call('GET /api/http/cache/page/hits');
  const rpc = {
    jsonrpc: '2.0',
    id: write(path),
    method: `ping ${write(path)}`,
    params: {},
  };
  await ada.call(`POST /mcp?${query}`, { ...sent, json: rpc });
  const findings = await ada.call('GET /api/sandbox/mcp/findings');
  const messages = await ada.call('GET /api/sandbox/mcp/messages');
  // Last, so that the board shows it as the last path.
  await ada.call(`GET ${subPath}?${query}`, sent);
  const har = { headers: { Accept: 'application/har+json' } };
  const requests = `/pupils/${ada.pupil}/requests`;
  places.push(
    { name: 'fault log', text: log.text, reached: '"/httpbin/anything/' },
    { name: 'cache hits', text: hits.text, reached: '"/api/http/cache/page' },
    { name: 'findings about MCP clients', text: findings.text, reached: '"sent":"' },
    { name: 'messages of MCP clients', text: messages.text, reached: 'ping' },
    { name: 'board', text: (await teach('GET')).text, reached: /"last":\{[^}]*"path":"\// },
    {
      name: 'export as JSON',
      text: (await teach('GET /export?format=json')).text,
      reached: 'Ada',
    },
    { name: 'export as CSV', text: (await teach('GET /export?format=csv')).text, reached: 'Ada' },
    { name: 'recording', text: (await teach(`GET ${requests}`)).text, reached: '"/api/Books"' },
    { name: 'HAR', text: (await teach(`GET ${requests}`, har)).text, reached: /"referer"/i },
    {
      name: 'own recording',
      text: (await ada.call('GET /api/sandbox/requests', har)).text,
      reached: /"referer"/i,
    },
  );
  expectSilence(places, secret);
});

test('an account’s address, in each form, in the bin of another account and in its own', async () => {
  const [account, other] = [await signUp(strict), await signUp(strict)];
  const made = (await account.send('POST /api/sandbox/address')).json;
  const path = new URL(made.address).pathname;
  for (const write of Object.values(forms)) {
    const { headers, query, subPath } = plant(path, write);
    for (const owner of [other, account]) {
      const { id } = (await owner.send('POST /api/webhooks/bins', { json: {} })).json;
      const target = `/api/webhooks/${id}/x${subPath}?${query}`;
      await callAt(made.address, `POST ${target}`, { headers, body: 'reached' });
      const { text } = await owner.send(`GET /api/webhooks/bins/${id}/requests`);
      const place = { name: 'bin', text, reached: /"path":"\/s\/~….*"body":"reached"/ };
      expectSilence([place], secretOf(path));
      expect(JSON.parse(text)[0].subPath).toMatch(/^\/x\//);
    }
  }
});

test('keys of accounts and teachers are masked in bins, in headers and in queries', async () => {
  const account = await signUp(strict);
  const { teacherKey } = await newClass(strict, { 'X-Service-Key': account.key });
  const { id } = (await account.send('POST /api/webhooks/bins', { json: {} })).json;
  const headers = { 'X-Teacher-Key': teacherKey, Authorization: `Bearer ${teacherKey}` };
  const query = `a=${account.key}&b=${inHex(account.key)}&c=${teacherKey}`;
  await account.send(`POST /api/webhooks/${id}?${query}`, { headers, body: account.key });
  const [capture] = (await account.send(`GET /api/webhooks/bins/${id}/requests`)).json;
  expect(capture.query).toMatchObject({ a: 'psk_…', c: 'ptk_…' });
  expect(shows(capture.queryString, account.key.slice(4))).toBe(false);
  const shownOf = (name: string) =>
    capture.headers.find((each: { name: string }) => each.name.toLowerCase() === name)?.value;
  expect(shownOf('x-service-key')).toBe('(removed)');
  expect(shownOf('x-teacher-key')).toBe('(removed)');
  expect(shownOf('authorization')).toBe('Bearer ptk_…');
  // A body is what the bin is for.
  expect(capture.body).toBe(account.key);
});

test('a pupil’s address in a name, in a message, and in the name of a class', async () => {
  const { join } = await newClass(service);
  const ada = await join('Ada');
  const path = new URL(ada.address).pathname;
  const secret = secretOf(path);
  const named = (await service.send('POST /api/classes', { json: { name: `Of ${path}` } })).json;
  const headers = { 'X-Teacher-Key': named.teacherKey };
  const at = `/api/classes/${named.id}`;
  const joinAs = async (name: string) =>
    service.send('POST /api/classes/join', { json: { joinCode: named.joinCode, name } });
  const joined = [await joinAs(path), await joinAs(`~${secret}`), await joinAs(path)];
  const text = `Use ${ada.address}/api/Books, not ${encodeURIComponent(path)}.`;
  await service.send(`POST ${at}/messages`, { json: { text }, headers });
  await service.send(`PATCH ${at}`, { json: { ranking: true }, headers });
  const ben = joined[0]?.json.address;
  await callAt(ben, 'POST /api/challenges/http-head/start');
  await callAt(ben, 'HEAD /api/Books/1');
  const read = async (rest: string) => (await service.send(`GET ${at}${rest}`, { headers })).text;
  const places: Place[] = [
    { name: 'join', text: joined.map(shown).join(), reached: 'Of /s/~…' },
    { name: 'board', text: await read(''), reached: /"firsts":\[\{.*Use .*…\/api\/Books/ },
    { name: 'export as JSON', text: await read('/export'), reached: '"label":"/s/~… .3."' },
    { name: 'export as CSV', text: await read('/export?format=csv'), reached: '/s/~… .3.' },
    { name: 'me', text: (await callAt(ben, 'GET /api/classes/me')).text, reached: 'Use .*…' },
    {
      name: 'ranking',
      text: (await callAt(ben, 'GET /api/classes/ranking')).text,
      reached: '"name":"~…"',
    },
  ];
  expectSilence(places, secret);
});

test('codes of pupils and join codes are in no recording, board or export', async () => {
  const { join, joinCode, teach } = await newClass(service);
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  const { code } = (await teach(`GET /pupils/${ben.pupil}`)).json;
  const sent = { json: { code } };
  await ada.call(`POST /api/classes/${joinCode}/rejoin?code=${code}`, sent);
  await ada.call(`POST /api/classes/${joinCode}/rejoin`, { json: { code: 'AAAAAA' } });
  await ada.call(`GET /api/classes/${joinCode}/rejoin`);
  await ada.call(`GET /api/classes/${joinCode}/nowhere/${code}`);
  await ada.call(`GET /api/class/${joinCode}/rejoin?code=${code}`);
  expect((await ada.call(`POST /api/classes/${joinCode}/rejoin`, sent)).status).toBe(200);
  const requests = `/pupils/${ada.pupil}/requests`;
  const har = { headers: { Accept: 'application/har+json' } };
  const board = (await teach('GET')).json;
  expect(board.joinCode).toBe(joinCode);
  const texts = [
    JSON.stringify({ ...board, joinCode: '' }),
    (await teach('GET /export')).text,
    (await teach('GET /export?format=csv')).text,
    (await teach(`GET ${requests}`)).text,
    (await teach(`GET ${requests}`, har)).text,
    (await ada.call('GET /api/classes/me')).text,
    (await ada.call('GET /api/sandbox/requests', har)).text,
  ];
  expect(texts[3]).toContain('"path":"/api/(removed)"');
  for (const text of texts) {
    expect(text).not.toContain(code);
    expect(text).not.toContain(joinCode);
  }
});
