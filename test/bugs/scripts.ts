/** For each bug, a script that finds it by plain HTTP, and the report about it. */

import { createHmac } from 'node:crypto';
import type { HttpResponse, SendOptions } from '../support/service.js';

/** Sends a request to the sandbox under test. */
export type Call = (target: string, options?: SendOptions) => Promise<HttpResponse>;

export interface Finding {
  /** Whether the service behaves wrongly. */
  readonly isWrong: boolean;
  readonly report: Report;
}

export interface Report {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Json = HttpResponse['json'];

type Script = (call: Call) => Promise<Finding>;

interface Sent extends SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the report of a request. */
function finding(
  isWrong: boolean,
  target: string,
  { headers, json, body }: Sent,
  expected: unknown,
  actual: unknown,
): Finding {
  const space = target.indexOf(' ');
  const sent = json ?? body;
  return {
    isWrong,
    report: {
      method: target.slice(0, space),
      path: target.slice(space + 1),
      ...(headers && { headers }),
      ...(sent !== undefined && { body: sent }),
      expected,
      actual,
    },
  };
}

type Judge = (response: HttpResponse) => {
  readonly isWrong: boolean;
  readonly expected: unknown;
  readonly actual: unknown;
};

/** A script of one request. */
const one =
  (target: string, options: Sent, judge: Judge): Script =>
  async (call) => {
    const { isWrong, expected, actual } = judge(await call(target, options));
    return finding(isWrong, target, options, expected, actual);
  };

const get = (path: string, judge: Judge, headers?: Record<string, string>) =>
  one(`GET ${path}`, headers ? { headers } : {}, judge);

/** Expects a status. */
const status =
  (expected: number): Judge =>
  (response) => ({
    isWrong: response.status !== expected,
    expected: { status: expected },
    actual: { status: response.status },
  });

const body =
  (expected: string, isRight: (json: Json, response: HttpResponse) => boolean): Judge =>
  (response) => ({
    isWrong: !isRight(response.json, response),
    expected,
    actual: { status: response.status, body: response.json },
  });

const header =
  (name: string, expected: string, isRight: (value: string | undefined) => boolean): Judge =>
  ({ status, headers }) => {
    const value = headers[name] as string | undefined;
    return {
      isWrong: !isRight(value),
      expected,
      actual: { status, headers: { [name]: value ?? null } },
    };
  };

const ascending = (values: readonly number[]) =>
  values.every((value, place) => place === 0 || (values[place - 1] ?? 0) <= value);

const json = (value: unknown): Sent => ({ json: value });

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function logIn(call: Call, username = 'user') {
  const { json: tokens } = await call(
    'POST /api/auth/jwt/login',
    json({ username, password: `${username}-secret` }),
  );
  return tokens as { accessToken: string; refreshToken: string };
}

const moveClock = (call: Call, offsetSeconds: number) =>
  call('PUT /api/sandbox/clock', json({ offsetSeconds }));

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const client = 'client_id=demo-client&client_secret=demo-client-secret';

const envelope = (inner: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${inner}</s:Body></s:Envelope>`;
const xml = { 'Content-Type': 'text/xml' };

const graphql = (query: string) => ({
  target: 'POST /graphql',
  options: json({ query }),
});

const secret = 'whsec_cHJhY3RpY2UtYXBpLWRlbW8tc2lnbmluZy1zZWNyZXQ=';
const spaced = '{ "a": 1 }';

export const scripts: Readonly<Record<string, Script>> = {
  'events-page-skipped': get(
    '/api/Events?limit=2&page=2&sort=id',
    body('The page has the records 3 and 4.', (list) => list[0].id === 3),
  ),
  'books-genre-ignored': async (call) => {
    const { json: books } = await call('GET /api/Books');
    const { genre } = books[0];
    const target = `GET /api/Books?genre=${encodeURIComponent(genre)}&price_gt=0`;
    const { json: found, status } = await call(target);
    const isWrong = found.some((book: { genre: string }) => book.genre !== genre);
    return finding(isWrong, target, {}, `Only books of ${genre}.`, { status });
  },
  'products-descending-ignored': get(
    '/api/Products?sort=-price',
    body('The dearest first.', (list) =>
      ascending(list.map(({ price }: { price: number }) => -price)),
    ),
  ),
  'movies-numbers-sorted-as-text': get(
    '/api/Movies?sort=boxOffice',
    body('In ascending order.', (list) =>
      ascending(list.map(({ boxOffice }: { boxOffice: number }) => boxOffice)),
    ),
  ),
  'users-total-one-more': async (call) => {
    const { json: list, headers, status } = await call('GET /api/Users');
    const total = headers['x-total-count'];
    const actual = { status, headers: { 'X-Total-Count': total } };
    const isWrong = total !== String(list.length);
    return finding(isWrong, 'GET /api/Users', {}, 'The number of users.', actual);
  },
  'posts-limit-exceeded': get(
    '/api/Posts?limit=3',
    body('Three posts.', (list) => list.length === 3),
  ),
  'countries-search-by-case': async (call) => {
    const { json: lower } = await call('GET /api/Countries?q=japan');
    return finding(
      lower.length === 0,
      'GET /api/Countries?q=japan',
      {},
      { status: 200, body: (await call('GET /api/Countries?q=Japan')).json },
      { status: 200, body: lower },
    );
  },
  'people-fields-ignored': get(
    '/api/People?fields=id,email',
    body('Records with id and email only.', (list) => Object.keys(list[0]).length === 2),
  ),
  'albums-last-page-link': async (call) => {
    const target = 'GET /api/Albums?limit=5&page=1';
    const { headers } = await call(target);
    const [, last] = /[?&]page=(\d+)>; rel="last"/.exec(String(headers.link)) ?? [];
    const isWrong = last !== headers['x-total-pages'];
    return finding(isWrong, target, {}, 'last has records', `last is page ${last}`);
  },
  'todos-false-ignored': get(
    '/api/Todos?completed=false',
    body('Only open todos.', (list) => list.every((todo: Json) => !todo.completed)),
  ),
  'employees-gte-excludes': async (call) => {
    const { json: all } = await call('GET /api/Employees');
    const { salary } = all[0];
    const target = `GET /api/Employees?salary_gte=${salary}`;
    const { json: list } = await call(target);
    const isWrong = list.every((each: Json) => each.salary !== salary);
    return finding(isWrong, target, {}, `Also employees with ${salary}.`, 'They are missing.');
  },
  'movies-count-unfiltered': async (call) => {
    const { json: list } = await call('GET /api/Movies?year_gt=2010');
    const target = 'GET /api/Movies/count?year_gt=2010';
    const { json: counted } = await call(target);
    const expected = { status: 200, body: { count: list.length } };
    const actual = { status: 200, body: counted };
    return finding(counted.count !== list.length, target, {}, expected, actual);
  },
  'todos-changes-without-deletions': async (call) => {
    const { json: before } = await call('GET /api/Todos/changes');
    await call('DELETE /api/Todos/5');
    const target = `GET /api/Todos/changes?since=${encodeURIComponent(before.token)}`;
    const { json: feed } = await call(target);
    const isWrong = feed.changes.length === 0;
    return finding(isWrong, target, {}, 'An entry for the todo 5.', { body: feed });
  },
  'photos-of-another-album': get(
    '/api/Albums/12/Photos',
    body('Photos of the album 12.', (list) => list.every((photo: Json) => photo.albumId === 12)),
  ),
  'products-one-category': async (call) => {
    const { json: products } = await call('GET /api/Products');
    const [first, second] = [...new Set(products.map((each: Json) => each.category as string))];
    const target = `GET /api/Products?category=${encodeURIComponent(String(first))}&category=${encodeURIComponent(String(second))}`;
    const { json: list } = await call(target);
    const found = new Set(list.map((each: Json) => each.category));
    return finding(found.size !== 2, target, {}, 'Both categories.', 'One category.');
  },
  'countries-second-sort-ignored': get(
    '/api/Countries?sort=region,-population',
    body('In each region, the largest first.', (list) =>
      list.every(
        (country: Json, place: number) =>
          place === 0 ||
          list[place - 1].region !== country.region ||
          list[place - 1].population >= country.population,
      ),
    ),
  ),
  'books-genres-unsorted': get(
    '/api/Books/genres',
    body('In alphabetical order.', (list) => list[0] < list[1]),
  ),
  'countries-count-one-less': async (call) => {
    const { json: list } = await call('GET /api/Countries');
    return get(
      '/api/Countries/count',
      body(`count is ${list.length}.`, ({ count }) => count === list.length),
    )(call);
  },
  'todos-of-a-user-unfiltered': get(
    '/api/Users/1/Todos?completed=true',
    body('Only completed todos.', (list) => list.every((todo: Json) => todo.completed)),
  ),
  'photos-location-wrong': async (call) => {
    const { json: photo } = await call('GET /api/Photos/1');
    const { id: _id, ...fields } = photo;
    return one(
      'POST /api/Photos',
      json({ albumId: fields.albumId, title: 'Sea' }),
      header('location', 'It ends with the id.', (value) => /\/\d+$/.test(String(value))),
    )(call);
  },
  'employees-unknown-is-500': get('/api/Employees/9999', status(404)),
  'books-isbn-unknown-is-200': get('/api/Books/isbn/978-0-00-000000-2', status(404)),
  'albums-deleted-is-200': one('DELETE /api/Albums/3', {}, status(204)),
  'people-second-deletion-is-204': async (call) => {
    await call('DELETE /api/People/3');
    return one('DELETE /api/People/3', {}, status(404))(call);
  },
  'products-stock-is-text': get(
    '/api/Products/1',
    body('true or false.', ({ inStock }) => typeof inStock === 'boolean'),
  ),
  'bearer-without-challenge': get(
    '/api/auth/roles/user',
    header('www-authenticate', 'A challenge.', (value) => value !== undefined),
  ),
  'jwt-lifetime-in-milliseconds': one(
    'POST /api/auth/jwt/login',
    json({ username: 'user', password: 'user-secret' }),
    body('expiresIn is 900.', ({ expiresIn }) => expiresIn === 900),
  ),
  'api-key-missing-is-400': get('/api/auth/api-key/query', status(401)),
  'version-2-header': get(
    '/api/v2/profile',
    header('x-api-version', '2', (value) => value === '2'),
  ),
  'versions-current-old': get(
    '/api/versions',
    body('current is 2.', ({ current }) => current === '2'),
  ),
  'rate-limit-status-full': async (call) => {
    const headers = { 'X-Client-Id': 'status' };
    await call('GET /api/RateLimit', { headers });
    const judge = body('4 remain.', ({ remaining }) => remaining === 4);
    return get('/api/RateLimit/status', judge, headers)(call);
  },
  'companies-unknown-is-200': get('/api/Companies/999', status(404)),
  'users-created-is-200': one(
    'POST /api/Users',
    json({ name: 'Ada', job: 'Tester', city: 'Oslo' }),
    status(201),
  ),
  'albums-without-location': one(
    'POST /api/Albums',
    json({ userId: 1, title: 'Trip' }),
    header('location', 'Location has the URL.', (value) => value !== undefined),
  ),
  'movies-deletion-lost': async (call) => {
    const { status: first } = await call('DELETE /api/Movies/3');
    const { status: then } = await call('GET /api/Movies/3');
    return finding(then !== 404, 'DELETE /api/Movies/3', {}, 'GET gets 404.', { status: first });
  },
  'todos-restoration-lost': async (call) => {
    await call('DELETE /api/Todos/4');
    const { status } = await call('POST /api/Todos/4/restore');
    const { status: then } = await call('GET /api/Todos/4');
    const target = 'POST /api/Todos/4/restore';
    return finding(then !== 200, target, {}, 'GET gets 200.', `restore ${status}, GET ${then}`);
  },
  'people-patch-drops-fields': one(
    'PATCH /api/People/1',
    json({ firstName: 'Ada', lastName: 'Byron' }),
    body('Both names change.', ({ lastName }) => lastName === 'Byron'),
  ),
  'employees-patch-ignores-nested': one(
    'PATCH /api/Employees/1',
    json({ address: { city: 'Oslo' } }),
    body('The city changes.', ({ address }) => address.city === 'Oslo'),
  ),
  'users-mass-assignment': one(
    'POST /api/Users',
    json({ name: 'Eve', job: 'Tester', city: 'Oslo', role: 'admin' }),
    status(400),
  ),
  'events-price-is-text': get(
    '/api/Events/3',
    body('The price is a number.', ({ price }) => typeof price === 'number'),
  ),
  'posts-title-cut': one(
    'POST /api/Posts',
    json({ userId: 1, title: 'A title of more than twenty characters', body: 'Text' }),
    body('The title is unchanged.', ({ title }) => title.length > 20),
  ),
  'todos-trashed-is-404': async (call) => {
    await call('DELETE /api/Todos/6');
    return get('/api/Todos/6', status(410))(call);
  },
  'books-batch-not-atomic': async (call) => {
    const { json: book } = await call('GET /api/Books/1');
    const batch = {
      atomic: true,
      operations: [
        { method: 'PATCH', id: 1, body: { price: book.price + 1 } },
        { method: 'PATCH', id: 99999, body: { price: 1 } },
      ],
    };
    const script = one('POST /api/Books/batch', json(batch), status(404));
    return script(call);
  },
  'events-put-creates': async (call) => {
    const { json: event } = await call('GET /api/Events/1');
    const { id: _id, ...fields } = event;
    return one(
      'PUT /api/Events/9999',
      json({ ...fields, price: Number(fields.price) }),
      status(404),
    )(call);
  },
  'photos-lost-update': async (call) => {
    const { headers } = await call('GET /api/Photos/2');
    await call('PATCH /api/Photos/2', json({ title: 'One' }));
    const options = { ...json({ title: 'Two' }), headers: { 'If-Match': String(headers.etag) } };
    return one('PATCH /api/Photos/2', options, status(412))(call);
  },
  'countries-tag-never-changes': async (call) => {
    const before = await call('GET /api/Countries/2');
    await call('PATCH /api/Countries/2', json({ capital: 'Nowhere' }));
    const { etag } = before.headers;
    const script = get(
      '/api/Countries/2',
      header('etag', 'Another entity tag.', (value) => value !== etag),
    );
    return script(call);
  },
  'books-always-sent': async (call) => {
    const { headers } = await call('GET /api/Books/2');
    return get('/api/Books/2', status(304), { 'If-None-Match': String(headers.etag) })(call);
  },
  'products-never-modified': async (call) => {
    await call('PATCH /api/Products/2', json({ title: 'Changed' }));
    const earlier = new Date(Date.now() - 3600_000).toUTCString();
    return get('/api/Products/2', status(200), { 'If-Modified-Since': earlier })(call);
  },
  'posts-created-twice': async (call) => {
    const options = {
      ...json({ userId: 1, title: 'Once', body: 'Text' }),
      headers: { 'Idempotency-Key': '"a-key"' },
    };
    const first = await call('POST /api/Posts', options);
    const second = await call('POST /api/Posts', options);
    const isWrong = second.json.id !== first.json.id;
    return finding(isWrong, 'POST /api/Posts', options, 'The same post.', 'Another post.');
  },
  'events-key-not-required': async (call) => {
    const { json: event } = await call('GET /api/Events/1');
    const { id: _id, ...fields } = event;
    return one(
      'POST /api/Events?requireIdempotency=true',
      json({ ...fields, price: Number(fields.price) }),
      status(400),
    )(call);
  },
  'page-last-too-early': get(
    '/api/pagination/page?page=8&size=10',
    body('Not the last page.', ({ last }) => last === false),
  ),
  'offset-more-at-the-end': get(
    '/api/pagination/offset?offset=90&limit=10',
    body('hasMore is false.', ({ pagination }) => pagination.hasMore === false),
  ),
  'cursor-skips-an-item': async (call) => {
    const first = await call('GET /api/pagination/cursor?limit=4');
    const cursor = encodeURIComponent(first.json.next_cursor);
    const target = `/api/pagination/cursor?limit=4&cursor=${cursor}`;
    return get(
      target,
      body('Begins with the item 5.', ({ data }) => data[0].id === 5),
    )(call);
  },
  'keyset-repeats-an-item': get(
    '/api/pagination/keyset?after_id=4&limit=3',
    body('Begins with the item 5.', ({ data }) => data[0].id === 5),
  ),
  'hal-next-missing': get(
    '/api/pagination/hal?page=8&size=10',
    body('A link next.', ({ _links }) => _links.next !== undefined),
  ),
  'link-total-of-the-page': get(
    '/api/pagination/link?per_page=10',
    header('x-total-count', '100', (value) => value === '100'),
  ),
  'last-item-unknown': get('/api/pagination/items/100', status(200)),
  'jwt-expiry-ignored': async (call) => {
    const { accessToken } = await logIn(call);
    await moveClock(call, 1000);
    return get('/api/auth/jwt/me', status(401), bearer(accessToken))(call);
  },
  'jwt-logout-ignored': async (call) => {
    const { refreshToken } = await logIn(call);
    await call('POST /api/auth/jwt/logout', json({ refreshToken }));
    const { status: got } = await call('POST /api/auth/jwt/refresh', json({ refreshToken }));
    // The first use has rotated the token, so the tester reports the next one after another logout.
    const again = await logIn(call);
    await call('POST /api/auth/jwt/logout', json({ refreshToken: again.refreshToken }));
    return finding(
      got !== 401,
      'POST /api/auth/jwt/refresh',
      json({ refreshToken: again.refreshToken }),
      401,
      got,
    );
  },
  'jwt-reuse-not-revoked': async (call) => {
    const { refreshToken } = await logIn(call);
    const { json: next } = await call('POST /api/auth/jwt/refresh', json({ refreshToken }));
    await call('POST /api/auth/jwt/refresh', json({ refreshToken }));
    const options = json({ refreshToken: next.refreshToken });
    const got = await call('POST /api/auth/jwt/refresh', options);
    const newest = got.status === 200 ? got.json.refreshToken : next.refreshToken;
    await call('POST /api/auth/jwt/refresh', json({ refreshToken }));
    return finding(
      got.status !== 401,
      'POST /api/auth/jwt/refresh',
      json({ refreshToken: newest }),
      401,
      got.status,
    );
  },
  'jwt-admin-for-all': async (call) => {
    const { accessToken } = await logIn(call);
    return get('/api/auth/jwt/admin', status(403), bearer(accessToken))(call);
  },
  'basic-wrong-is-403': get('/api/auth/basic', status(401), {
    Authorization: `Basic ${btoa('demo:wrong')}`,
  }),
  'api-key-in-the-url': get('/api/auth/api-key/header?api_key=demo-api-key', status(401)),
  'bearer-admin-for-users': get('/api/auth/roles/admin', status(403), bearer('demo-user-token')),
  'oauth-revocation-lost': async (call) => {
    const { json: granted } = await call('POST /api/auth/oauth/token', {
      headers: form,
      body: `grant_type=client_credentials&${client}`,
    });
    const options = { headers: form, body: `token=${granted.access_token}&${client}` };
    const { status: revoked } = await call('POST /api/auth/oauth/revoke', options);
    const { status: then } = await call('GET /api/auth/oauth/protected', {
      headers: bearer(granted.access_token),
    });
    return finding(
      then !== 401,
      'POST /api/auth/oauth/revoke',
      options,
      'The token is not accepted.',
      { status: revoked },
    );
  },
  'oauth-token-cacheable': one(
    'POST /api/auth/oauth/token',
    { headers: form, body: `grant_type=client_credentials&${client}` },
    header('cache-control', 'no-store', (value) => value === 'no-store'),
  ),
  'hmac-old-timestamp': async (call) => {
    const time = String(Math.floor(Date.now() / 1000) - 3600);
    const text = '{"amount":1}';
    const signature = createHmac('sha256', 'demo-hmac-secret')
      .update(`${time}.${text}`)
      .digest('hex');
    const headers = { 'X-Timestamp': time, 'X-Signature': signature };
    return one('POST /api/auth/hmac', { headers, body: text }, status(401))(call);
  },
  'session-survives-logout': async (call) => {
    const logged = await call(
      'POST /api/auth/session/login',
      json({ username: 'ada', password: 'ada-secret' }),
    );
    const cookie = String(logged.headers['set-cookie']?.[0]).split(';', 1)[0] ?? '';
    const options = { ...json({}), headers: { Cookie: cookie } };
    await call('POST /api/auth/session/logout', options);
    const { status: then } = await call('GET /api/auth/session/me', {
      headers: { Cookie: cookie },
    });
    return finding(then !== 401, 'POST /api/auth/session/logout', options, 'It ends.', 'It stays.');
  },
  'version-query-first': get(
    '/api/versioned/profile?api-version=2',
    header('x-api-version', '1', (value) => value === '1'),
    { 'X-API-Version': '1' },
  ),
  'version-unknown-accepted': get('/api/versioned/profile', status(400), {
    'X-API-Version': '9',
  }),
  'version-1-without-sunset': get(
    '/api/v1/profile',
    header('sunset', 'A Sunset header.', (value) => value !== undefined),
  ),
  'rate-limit-milliseconds': async (call) => {
    const headers = { 'X-Client-Id': 'ms' };
    await call('GET /api/RateLimit?limit=1', { headers });
    const judge = header('retry-after', 'At most 60.', (value) => Number(value) <= 60);
    // The time that is left changes from second to second.
    const found = await get('/api/RateLimit', judge, headers)(call);
    return { ...found, report: { ...found.report, actual: { status: 429 } } };
  },
  'rate-limit-remaining': async (call) => {
    const headers = { 'X-Client-Id': 'left' };
    const { headers: sent, status: got } = await call('GET /api/RateLimit', { headers });
    const isWrong = sent['x-ratelimit-remaining'] !== '4';
    return finding(isWrong, 'GET /api/RateLimit', { headers }, '4 remain.', `Status ${got}: 5.`);
  },
  'rate-limit-reset-lost': async (call) => {
    const headers = { 'X-Client-Id': 'reset' };
    await call('GET /api/RateLimit', { headers });
    await call('POST /api/RateLimit/reset', { headers });
    const { json: used } = await call('GET /api/RateLimit/status', { headers });
    return finding(used.used !== 0, 'POST /api/RateLimit/reset', { headers }, 'used is 0.', used);
  },
  'range-end-excluded': get(
    '/api/http/bytes/100',
    header('content-length', '10', (value) => value === '10'),
    { Range: 'bytes=0-9' },
  ),
  'encoding-without-vary': get(
    '/api/http/encoding',
    header('vary', 'Accept-Encoding', (value) => /accept-encoding/i.test(String(value))),
    { 'Accept-Encoding': 'gzip' },
  ),
  'echo-last-value': get(
    '/api/methods/get?a=1&a=2',
    body('Both values.', ({ query }) => Array.isArray(query.a)),
  ),
  'uploads-newest-first': async (call) => {
    for (const name of ['a.txt', 'b.txt']) {
      await call('POST /api/http/uploads', {
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nText\r\n--b--\r\n`,
      });
    }
    return get(
      '/api/http/uploads',
      body('a.txt first.', (list) => (list.files ?? list)[0].name === 'a.txt'),
    )(call);
  },
  'own-records-unsorted': async (call) => {
    await loadNotes(call);
    return get(
      '/my/notes?sort=id&order=desc',
      body('The highest id first.', (list) => list[0].id === 2),
    )(call);
  },
  'own-records-lost-update': async (call) => {
    await loadNotes(call);
    const { headers } = await call('GET /my/notes/1');
    await call('PATCH /my/notes/1', json({ text: 'One' }));
    const options = { ...json({ text: 'Two' }), headers: { 'If-Match': String(headers.etag) } };
    return one('PATCH /my/notes/1', options, status(412))(call);
  },
  'graphql-error-is-200': one(
    'POST /graphql',
    { ...json({ query: '{ nothing }' }), headers: { Accept: 'application/graphql-response+json' } },
    status(400),
  ),
  'graphql-toggle-lost': async (call) => {
    const { target, options } = graphql('mutation { toggleTodo(id: 1) { completed } }');
    const before = (await call('GET /api/Todos/1')).json.completed;
    await call(target, options);
    const after = (await call('GET /api/Todos/1')).json.completed;
    return finding(after === before, target, options, 'The todo changes.', 'It does not change.');
  },
  'graphql-null-with-error': async (call) => {
    const { target, options } = graphql('{ user(id: 9999) { name } }');
    const judge = body('No errors.', ({ errors }) => errors === undefined);
    return one(target, options, judge)(call);
  },
  'soap-subtract-swapped': one(
    'POST /api/soap/calculator',
    {
      headers: xml,
      body: envelope(
        '<Subtract xmlns="http://tempuri.org/"><intA>9</intA><intB>4</intB></Subtract>',
      ),
    },
    ({ text, status }) => ({
      isWrong: !text.includes('>5<'),
      expected: '5',
      actual: `${status} OK`,
    }),
  ),
  'soap-fault-is-200': one(
    'POST /api/soap/calculator',
    {
      headers: xml,
      body: envelope('<Divide xmlns="http://tempuri.org/"><intA>9</intA><intB>0</intB></Divide>'),
    },
    status(500),
  ),
  'soap-country-by-case': one(
    'POST /api/soap/countries',
    {
      headers: xml,
      body: envelope(
        '<GetCountryInfo xmlns="http://tempuri.org/"><countryCode>jp</countryCode></GetCountryInfo>',
      ),
    },
    status(200),
  ),
  'rpc-unknown-method': one(
    'POST /api/jsonrpc',
    json({ jsonrpc: '2.0', method: 'nothing', id: 1 }),
    body('-32601', ({ error }) => error.code === -32601),
  ),
  'rpc-batch-without-errors': one(
    'POST /api/jsonrpc',
    json([
      { jsonrpc: '2.0', method: 'subtract', params: [3, 1], id: 1 },
      { jsonrpc: '2.0', method: 'nothing', id: 2 },
    ]),
    body('Two responses.', (list) => list.length === 2),
  ),
  'webhook-verified-as-parsed': async (call) => {
    const signature = createHmac('sha256', secret).update(spaced).digest('hex');
    const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
    return one(
      'POST /api/webhooks/verify/github',
      { headers: { ...headers, 'Content-Type': 'application/json' }, body: spaced },
      body('It is valid.', ({ verified }) => verified === true),
    )(call);
  },
  'webhook-signed-as-parsed': one(
    'POST /api/webhooks/samples/github',
    { headers: { 'Content-Type': 'application/json' }, body: spaced },
    body('Signed over the bytes.', (signed) => {
      const right = createHmac('sha256', secret).update(spaced).digest('hex');
      return JSON.stringify(signed.headers).includes(right);
    }),
  ),
  'webhook-old-delivery': async (call) => {
    const time = String(Math.floor(Date.now() / 1000) - 3600);
    const signature = createHmac('sha256', secret).update(`${time}.${spaced}`).digest('hex');
    const headers = { 'Stripe-Signature': `t=${time},v1=${signature}` };
    return one(
      'POST /api/webhooks/verify/stripe',
      { headers: { ...headers, 'Content-Type': 'application/json' }, body: spaced },
      body('It is not valid.', ({ verified }) => verified === false),
    )(call);
  },
};

const loadNotes = (call: Call) =>
  call(
    'PUT /api/sandbox/data',
    json({
      notes: [
        { id: 1, text: 'a' },
        { id: 2, text: 'b' },
      ],
    }),
  );
