/** Requests that need an order: each of a flow uses what the earlier ones were answered. */

import type { JsonValue } from '../openapi/json.js';
import type { AnswerPart, SampleAuth, SampleBody } from './sample-request.js';

export interface Flow {
  readonly title: string;
  readonly description: string;
  readonly steps: readonly FlowStep[];
}

export interface FlowStep {
  /** A name for programs, unique among all. */
  readonly id: string;
  readonly title: string;
  readonly operationId: string;
  readonly request?: FlowRequest;
  readonly status: number;
  /** Where the status depends on how often it was asked. */
  readonly orStatus?: number;
  readonly keeps?: Readonly<Record<string, AnswerPart>>;
  /** JavaScript in Postman's sandbox, before the request. */
  readonly before?: string;
  /** The same after it, beyond what the description demands. */
  readonly tests?: string;
  /** It makes no sense without its scripts. */
  readonly needsScripts?: true;
}

interface FlowRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: SampleBody;
  readonly auth?: SampleAuth;
}

const json = (value: JsonValue): SampleBody => ({ kind: 'json', value });
const form = (fields: Readonly<Record<string, string>>): SampleBody => ({
  kind: 'form',
  fields: Object.entries(fields),
});
const text = (body: string): Pick<FlowRequest, 'body' | 'headers'> => ({
  body: { kind: 'text', text: body },
  headers: { 'Content-Type': 'application/json' },
});
const bearer = (token: string): FlowRequest => ({ auth: { kind: 'bearer', token } });
const member = (...body: string[]): AnswerPart => ({ body });
const entityTag: AnswerPart = { header: 'ETag' };
const client = {
  kind: 'basic',
  username: '{{oauthClientId}}',
  password: '{{oauthClientSecret}}',
} as const;
const digest = {
  kind: 'digest',
  username: '{{digestUsername}}',
  password: '{{digestPassword}}',
} as const;
const limited = { headers: { 'X-Client-Id': '{{limitedClient}}' } };
const event = {
  name: 'Night of Open Libraries',
  category: 'Culture',
  city: 'Lyon',
  startsAt: '2027-03-12T18:00:00Z',
  endsAt: '2027-03-12T23:00:00Z',
  capacity: 200,
};

/** How many items are paginated, and how many of them a page of the flow has. */
const pageSize = 40;

export const flows: readonly Flow[] = [
  {
    title: 'A sandbox for this run',
    description:
      'A new sandbox: this run changes nothing that others see, and finds nothing that others changed.',
    steps: [
      {
        id: 'freshSandbox',
        title: 'A fresh sandbox',
        operationId: 'getSandbox',
        status: 200,
        needsScripts: true,
        before: `pm.collectionVariables.set('sandbox', pm.variables.replaceIn('postman-{{$guid}}'));`,
        tests: `pm.test('it is new, and named as asked', () => {
  const { name, isShared, isPristine } = pm.response.json();
  pm.expect({ name, isShared, isPristine }).to.eql({
    name: pm.collectionVariables.get('sandbox'),
    isShared: false,
    isPristine: true,
  });
});`,
      },
    ],
  },
  {
    title: 'Basic',
    description: 'Without credentials there is a challenge; with them, an answer.',
    steps: [
      {
        id: 'basicChallenge',
        title: 'Without credentials',
        operationId: 'getAuthBasic',
        status: 401,
        tests: `pm.test('it says how to authenticate', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.match(/^Basic realm="/);
});`,
      },
      {
        id: 'basicAnswered',
        title: 'With them',
        operationId: 'getAuthBasic',
        request: {
          auth: { kind: 'basic', username: '{{basicUsername}}', password: '{{basicPassword}}' },
        },
        status: 200,
        tests: `pm.test('it knows the user', () => {
  pm.expect(pm.response.json().user).to.eql(pm.variables.get('basicUsername'));
});`,
      },
    ],
  },
  {
    title: 'Digest',
    description: 'A challenge, its answer, and the same answer again.',
    steps: [
      {
        id: 'digestChallenge',
        title: 'The challenge',
        operationId: 'getAuthDigest',
        status: 401,
        tests: `pm.test('it has what an answer needs', () => {
  const challenge = pm.response.headers.get('WWW-Authenticate');
  pm.expect(challenge).to.match(/^Digest realm="/);
  pm.expect(challenge).to.match(/nonce="[^"]+"/);
  pm.expect(challenge).to.not.include('stale=true');
});`,
      },
      {
        id: 'digestAnswered',
        title: 'The challenge answered',
        operationId: 'getAuthDigest',
        request: { auth: digest },
        status: 200,
        tests: `pm.test('it knows the user, and proves that it knows the password', () => {
  pm.expect(pm.response.json().user).to.eql(pm.variables.get('digestUsername'));
  pm.expect(pm.response.headers.get('Authentication-Info')).to.match(/rspauth="[0-9a-f]{32}"/);
});`,
      },
      {
        id: 'digestReplayed',
        title: 'The same answer again',
        operationId: 'getAuthDigest',
        request: { headers: { Authorization: '{{digestAnswer}}' } },
        status: 401,
        needsScripts: true,
        before: `const { MD5 } = require('crypto-js');
const md5 = (text) => MD5(text).toString();
const variable = (name) => pm.variables.get(name);
const uri = '/api/auth/digest';
const ask = (headers, next) => {
  const key = variable('serviceKey');
  const header = { 'X-Sandbox': variable('sandbox'), ...(key && { 'X-Service-Key': key }), ...headers };
  pm.sendRequest({ url: variable('baseUrl') + uri, method: 'GET', header }, (error, answer) => {
    if (error) throw error;
    next(answer);
  });
};
ask({}, (challenged) => {
  const challenge = challenged.headers.get('WWW-Authenticate');
  const part = (name) => new RegExp(name + '="?([^",]+)').exec(challenge)[1];
  const [realm, nonce, opaque] = ['realm', 'nonce', 'opaque'].map(part);
  const user = variable('digestUsername');
  const secret = md5(user + ':' + realm + ':' + variable('digestPassword'));
  const response = md5([secret, nonce, '00000001', 'c0ffee', 'auth', md5('GET:' + uri)].join(':'));
  const answer =
    \`Digest username="\${user}", realm="\${realm}", nonce="\${nonce}", uri="\${uri}", \` +
    \`response="\${response}", opaque="\${opaque}", algorithm=MD5, qop=auth, nc=00000001, cnonce="c0ffee"\`;
  pm.collectionVariables.set('digestAnswer', answer);
  ask({ Authorization: answer }, ({ code }) => {
    pm.test('the answer is right at first', () => pm.expect(code).to.eql(200));
  });
});`,
        tests: `pm.test('there is a new challenge, and the old one counts as stale', () => {
  const challenge = pm.response.headers.get('WWW-Authenticate');
  pm.expect(challenge).to.include('stale=true');
  const nonce = /nonce="([^"]+)"/.exec(pm.variables.get('digestAnswer'))[1];
  pm.expect(challenge).to.not.include(nonce);
});`,
      },
    ],
  },
  {
    title: 'JWT',
    description:
      'A login, its tokens, new ones for the refresh token, and what happens to all when an old one is used again.',
    steps: [
      {
        id: 'jwtLogin',
        title: 'Log in',
        operationId: 'postAuthJwtLogin',
        request: { body: json({ username: '{{jwtUsername}}', password: '{{jwtPassword}}' }) },
        status: 200,
        keeps: {
          firstAccessToken: member('accessToken'),
          firstRefreshToken: member('refreshToken'),
        },
        tests: `pm.test('the access token is a JWT', () => {
  pm.expect(pm.response.json().accessToken).to.match(/^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/);
});`,
      },
      {
        id: 'jwtMe',
        title: 'Who am I?',
        operationId: 'getAuthJwtMe',
        request: bearer('{{firstAccessToken}}'),
        status: 200,
        tests: `pm.test('whoever logged in', () => {
  pm.expect(pm.response.json().username).to.eql(pm.variables.get('jwtUsername'));
});`,
      },
      {
        id: 'jwtRefresh',
        title: 'New tokens for the refresh token',
        operationId: 'postAuthJwtRefresh',
        request: { body: json({ refreshToken: '{{firstRefreshToken}}' }) },
        status: 200,
        keeps: {
          secondAccessToken: member('accessToken'),
          secondRefreshToken: member('refreshToken'),
        },
        tests: `pm.test('both tokens are others', () => {
  const { accessToken, refreshToken } = pm.response.json();
  pm.expect(accessToken).to.not.eql(pm.variables.get('firstAccessToken'));
  pm.expect(refreshToken).to.not.eql(pm.variables.get('firstRefreshToken'));
});`,
      },
      {
        id: 'jwtMeAgain',
        title: 'Who am I, with the new token?',
        operationId: 'getAuthJwtMe',
        request: bearer('{{secondAccessToken}}'),
        status: 200,
        tests: `pm.test('still the same', () => {
  pm.expect(pm.response.json().username).to.eql(pm.variables.get('jwtUsername'));
});`,
      },
      {
        id: 'jwtReuse',
        title: 'The old refresh token again',
        operationId: 'postAuthJwtRefresh',
        request: { body: json({ refreshToken: '{{firstRefreshToken}}' }) },
        status: 401,
        tests: `pm.test('it was used before', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.include('error="invalid_token"');
  pm.expect(pm.response.json().message).to.include('has been used before');
});`,
      },
      {
        id: 'jwtRevoked',
        title: 'The new refresh token, which is revoked by now',
        operationId: 'postAuthJwtRefresh',
        request: { body: json({ refreshToken: '{{secondRefreshToken}}' }) },
        status: 401,
        tests: `pm.test('it gives nothing any more', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.include('error="invalid_token"');
  pm.expect(pm.response.json()).to.not.have.property('accessToken');
});`,
      },
    ],
  },
  {
    title: 'OAuth 2.0',
    description: 'A token from the client’s credentials, until it is revoked.',
    steps: [
      {
        id: 'oauthGrant',
        title: 'A token',
        operationId: 'postAuthOauthToken',
        request: {
          auth: client,
          body: form({ grant_type: 'client_credentials', scope: 'read write' }),
        },
        status: 200,
        keeps: { grantedToken: member('access_token') },
        tests: `pm.test('a bearer token of the scope that was asked for', () => {
  const { token_type, scope } = pm.response.json();
  pm.expect({ token_type, scope }).to.eql({ token_type: 'Bearer', scope: 'read write' });
});`,
      },
      {
        id: 'oauthProtected',
        title: 'What it protects',
        operationId: 'getAuthOauthProtected',
        request: bearer('{{grantedToken}}'),
        status: 200,
        tests: `pm.test('it knows the client', () => {
  pm.expect(pm.response.json().client_id).to.eql(pm.variables.get('oauthClientId'));
});`,
      },
      {
        id: 'oauthIntrospected',
        title: 'What is known of the token',
        operationId: 'postAuthOauthIntrospect',
        request: { auth: client, body: form({ token: '{{grantedToken}}' }) },
        status: 200,
        tests: `pm.test('it is active', () => pm.expect(pm.response.json().active).to.eql(true));`,
      },
      {
        id: 'oauthRevoked',
        title: 'The token revoked',
        operationId: 'postAuthOauthRevoke',
        request: { auth: client, body: form({ token: '{{grantedToken}}' }) },
        status: 200,
      },
      {
        id: 'oauthRefused',
        title: 'What it protected',
        operationId: 'getAuthOauthProtected',
        request: bearer('{{grantedToken}}'),
        status: 401,
        tests: `pm.test('the token is invalid', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.include('error="invalid_token"');
});`,
      },
      {
        id: 'oauthForgotten',
        title: 'What is known of it now',
        operationId: 'postAuthOauthIntrospect',
        request: { auth: client, body: form({ token: '{{grantedToken}}' }) },
        status: 200,
        tests: `pm.test('only that it is not active', () => {
  pm.expect(pm.response.json()).to.eql({ active: false });
});`,
      },
    ],
  },
  {
    title: 'CSRF',
    description:
      'A token as cookie and as header, and a form that wants both. Clients keep cookies.',
    steps: [
      {
        id: 'csrfToken',
        title: 'A token',
        operationId: 'getAuthCsrfToken',
        status: 200,
        keeps: { formToken: member('csrfToken') },
        tests: `pm.test('the cookie has it, too', () => {
  const { csrfToken } = pm.response.json();
  pm.expect(pm.response.headers.get('Set-Cookie')).to.include('XSRF-TOKEN=' + csrfToken);
});`,
      },
      {
        id: 'csrfSubmitted',
        title: 'Header and cookie, which the client keeps',
        operationId: 'postAuthCsrfSubmit',
        request: { headers: { 'X-CSRF-Token': '{{formToken}}' } },
        status: 200,
      },
      {
        id: 'csrfRefused',
        title: 'Only the cookie',
        operationId: 'postAuthCsrfSubmit',
        status: 403,
        tests: `pm.test('the header is missing', () => {
  pm.expect(pm.response.json().message).to.include('X-CSRF-Token');
});`,
      },
    ],
  },
  {
    title: 'HMAC',
    description: 'A body that is signed, and another with its signature.',
    steps: [
      {
        id: 'hmacSigned',
        title: 'A signed body',
        operationId: 'postAuthHmac',
        request: {
          ...text('{"event": "paid"}'),
          headers: {
            'Content-Type': 'application/json',
            'X-Timestamp': '{{signedAt}}',
            'X-Signature': '{{signature}}',
          },
        },
        status: 200,
        needsScripts: true,
        before: `const { HmacSHA256 } = require('crypto-js');
const signedAt = String(Math.floor(Date.now() / 1000));
const signed = signedAt + '.' + pm.request.body.raw;
const signature = HmacSHA256(signed, pm.variables.get('hmacSecret')).toString();
pm.collectionVariables.set('signedAt', signedAt);
pm.collectionVariables.set('signature', signature);`,
        tests: `pm.test('it saw the timestamp that was signed', () => {
  pm.expect(String(pm.response.json().timestamp)).to.eql(pm.variables.get('signedAt'));
});`,
      },
      {
        id: 'hmacRefused',
        title: 'Another body with that signature',
        operationId: 'postAuthHmac',
        request: {
          ...text('{"event": "refunded"}'),
          headers: {
            'Content-Type': 'application/json',
            'X-Timestamp': '{{signedAt}}',
            'X-Signature': '{{signature}}',
          },
        },
        status: 401,
        needsScripts: true,
        tests: `pm.test('the signature is wrong', () => {
  pm.expect(pm.response.json().message).to.include('The signature is wrong');
});`,
      },
    ],
  },
  {
    title: 'Webhook bin',
    description:
      'A bin that captures two requests, shows them, answers as it is told to, and goes.',
    steps: [
      {
        id: 'binCreated',
        title: 'A bin',
        operationId: 'postWebhooksBins',
        request: { body: json({ name: 'Orders' }) },
        status: 201,
        keeps: { ordersBinId: member('id') },
      },
      {
        id: 'binPosted',
        title: 'A POST is captured',
        operationId: 'postWebhooksByBinId',
        request: { path: { binId: '{{ordersBinId}}' }, ...text('{"order":  42 }') },
        status: 200,
        keeps: { orderRequestId: member('requestId') },
      },
      {
        id: 'binPut',
        title: 'A PUT is captured',
        operationId: 'putWebhooksByBinId',
        request: { path: { binId: '{{ordersBinId}}' }, ...text('{"order": 43}') },
        status: 200,
      },
      {
        id: 'binListed',
        title: 'Both are listed',
        operationId: 'getWebhooksBinsByIdRequests',
        request: { path: { id: '{{ordersBinId}}' } },
        status: 200,
        tests: `pm.test('these two and no others', () => {
  const methods = pm.response.json().map(({ method }) => method);
  pm.expect(methods).to.have.members(['POST', 'PUT']);
});`,
      },
      {
        id: 'binBody',
        title: 'The very bytes of the first',
        operationId: 'getWebhooksBinsByIdRequestsByRequestIdBody',
        request: { path: { id: '{{ordersBinId}}', requestId: '{{orderRequestId}}' } },
        status: 200,
        tests: `pm.test('to the last space', () => {
  pm.expect(pm.response.text()).to.eql('{"order":  42 }');
});`,
      },
      {
        id: 'binReply',
        title: 'Another answer is set',
        operationId: 'patchWebhooksBinsById',
        request: {
          path: { id: '{{ordersBinId}}' },
          body: json({
            response: { status: 202, headers: { 'Content-Type': 'text/plain' }, body: 'Later' },
          }),
        },
        status: 200,
      },
      {
        id: 'binReplied',
        title: 'A capture shows it',
        operationId: 'postWebhooksByBinId',
        request: { path: { binId: '{{ordersBinId}}' }, ...text('{"order": 44}') },
        status: 202,
        tests: `pm.test('the answer that was set', () => {
  pm.expect(pm.response.headers.get('Content-Type')).to.match(/^text\\/plain/);
  pm.expect(pm.response.text()).to.eql('Later');
});`,
      },
      {
        id: 'binDeleted',
        title: 'The bin goes',
        operationId: 'deleteWebhooksBinsById',
        request: { path: { id: '{{ordersBinId}}' } },
        status: 204,
      },
      {
        id: 'binGone',
        title: 'Nothing is captured any more',
        operationId: 'postWebhooksByBinId',
        request: { path: { binId: '{{ordersBinId}}' }, ...text('{"order": 45}') },
        status: 404,
      },
    ],
  },
  {
    title: 'Rate limit',
    description: 'Five requests pass, the sixth is refused, and a reset lets the next pass.',
    steps: [
      {
        id: 'limitUnused',
        title: 'A client that has asked nothing',
        operationId: 'getRateLimitStatus',
        request: limited,
        status: 200,
        needsScripts: true,
        before: `pm.collectionVariables.set('limitedClient', pm.variables.replaceIn('{{$guid}}'));
pm.collectionVariables.set('timesAsked', 0);`,
        tests: `pm.test('all of its window is left', () => {
  const { used, remaining } = pm.response.json();
  pm.expect({ used, remaining }).to.eql({ used: 0, remaining: 5 });
});`,
      },
      {
        id: 'limitAsked',
        title: 'Ask until refused',
        operationId: 'getRateLimit',
        request: limited,
        status: 200,
        orStatus: 429,
        needsScripts: true,
        before: `const timesAsked = Number(pm.variables.get('timesAsked') || 0) + 1;
pm.collectionVariables.set('timesAsked', timesAsked);
if (timesAsked === 1 && !pm.variables.get('limitedClient')) {
  pm.collectionVariables.set('limitedClient', pm.variables.replaceIn('{{$guid}}'));
}`,
        tests: `const timesAsked = Number(pm.variables.get('timesAsked'));
pm.test('request ' + timesAsked + (timesAsked <= 5 ? ' passes' : ' is refused'), () => {
  pm.response.to.have.status(timesAsked <= 5 ? 200 : 429);
  const remaining = Number(pm.response.headers.get('X-RateLimit-Remaining'));
  pm.expect(remaining).to.eql(Math.max(5 - timesAsked, 0));
});
if (timesAsked <= 5) {
  const next = pm.execution && pm.execution.setNextRequest ? pm.execution : postman;
  if (pm.response.code === 200) next.setNextRequest(pm.info.requestName);
} else {
  pm.test('it says when to come back', () => {
    const seconds = Number(pm.response.headers.get('Retry-After'));
    pm.expect(seconds).to.be.within(1, 60);
    pm.expect(pm.response.json().retryAfter).to.eql(seconds);
  });
}`,
      },
      {
        id: 'limitReset',
        title: 'A new window',
        operationId: 'postRateLimitReset',
        request: limited,
        status: 200,
        needsScripts: true,
      },
      {
        id: 'limitAskedAgain',
        title: 'The next passes',
        operationId: 'getRateLimit',
        request: limited,
        status: 200,
        needsScripts: true,
        tests: `pm.test('it is the first of its window', () => {
  pm.expect(pm.response.json().used).to.eql(1);
});`,
      },
    ],
  },
  {
    title: 'Cursor pagination',
    description: 'The first page, and then the next until there is none.',
    steps: [
      {
        id: 'cursorFirst',
        title: 'The first page of items',
        operationId: 'getPaginationCursor',
        request: { query: { limit: String(pageSize) } },
        status: 200,
        keeps: { nextCursor: member('next_cursor') },
        tests: `const ids = pm.response.json().data.map(({ id }) => id);
pm.collectionVariables.set('idsSeen', JSON.stringify(ids));
pm.test('a full page, and more to come', () => {
  pm.expect(ids).to.have.lengthOf(${pageSize});
  pm.expect(pm.response.json().has_more).to.eql(true);
});`,
      },
      {
        id: 'cursorNext',
        title: 'The next page of items, until there is none',
        operationId: 'getPaginationCursor',
        request: { query: { limit: String(pageSize), cursor: '{{nextCursor}}' } },
        status: 200,
        tests: `const { data: items, has_more: hasMore, next_cursor: nextCursor } = pm.response.json();
const ids = JSON.parse(pm.variables.get('idsSeen') || '[]').concat(items.map(({ id }) => id));
pm.collectionVariables.set('idsSeen', JSON.stringify(ids));
if (hasMore) {
  pm.collectionVariables.set('nextCursor', nextCursor);
  const next = pm.execution && pm.execution.setNextRequest ? pm.execution : postman;
  next.setNextRequest(pm.info.requestName);
}
pm.test(hasMore ? 'there is more' : 'every item was seen once', () => {
  pm.expect(new Set(ids).size).to.eql(ids.length);
  if (!hasMore) pm.expect(ids).to.have.lengthOf(100);
});`,
      },
    ],
  },
  {
    title: 'Entity tags',
    description: 'Nothing is sent twice, and nothing is overwritten that changed meanwhile.',
    steps: [
      {
        id: 'tagCreated',
        title: 'An event',
        operationId: 'postEvents',
        request: { body: json(event) },
        status: 201,
        keeps: { taggedEventId: member('id'), firstTag: entityTag },
      },
      {
        id: 'tagKnown',
        title: 'It is known already',
        operationId: 'getEventsById',
        request: {
          path: { id: '{{taggedEventId}}' },
          headers: { 'If-None-Match': '{{firstTag}}' },
        },
        status: 304,
      },
      {
        id: 'tagChanged',
        title: 'It changes',
        operationId: 'patchEventsById',
        request: { path: { id: '{{taggedEventId}}' }, body: json({ price: 12.5 }) },
        status: 200,
        keeps: { secondTag: entityTag },
        tests: `pm.test('and so does its entity tag', () => {
  pm.expect(pm.response.headers.get('ETag')).to.not.eql(pm.variables.get('firstTag'));
});`,
      },
      {
        id: 'tagRefused',
        title: 'A change of what it was is refused',
        operationId: 'patchEventsById',
        request: {
          path: { id: '{{taggedEventId}}' },
          headers: { 'If-Match': '{{firstTag}}' },
          body: json({ price: 20 }),
        },
        status: 412,
        tests: `pm.test('it names the entity tag that it has now', () => {
  pm.expect(pm.response.headers.get('ETag')).to.eql(pm.variables.get('secondTag'));
});`,
      },
      {
        id: 'tagTaken',
        title: 'A change of what it is is taken',
        operationId: 'patchEventsById',
        request: {
          path: { id: '{{taggedEventId}}' },
          headers: { 'If-Match': '{{secondTag}}' },
          body: json({ price: 20 }),
        },
        status: 200,
        tests: `pm.test('the new price', () => pm.expect(pm.response.json().price).to.eql(20));`,
      },
      {
        id: 'tagDeleted',
        title: 'It goes',
        operationId: 'deleteEventsById',
        request: { path: { id: '{{taggedEventId}}' } },
        status: 204,
      },
    ],
  },
];
