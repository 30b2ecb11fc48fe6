/** Defects of versioning, rate limits and the HTTP lab. */

import type { Request } from '#http/exchange.js';
import {
  changeQuery,
  isMembers,
  losesWrites,
  sentParameter,
  setHeader,
  shownByStatus,
} from '../change-request.js';
import { defectsOf } from '../defect.js';
import type { SentResponse } from '../sent-response.js';

const version = /^v?[12](?:\.0+)?$/i;

/** Corrects the headers, which were set before the request was changed. */
function showVersion(response: SentResponse, { raw, url }: Request): void {
  const { json } = response;
  if (raw.headers['x-api-version'] !== undefined || !isMembers(json)) return;
  if (response.header('x-api-version-source') !== 'header' && response.status === 200) return;
  response.setHeader('x-api-version', 'memberSince' in json ? '1' : '2');
  response.setHeader('x-api-version-source', url.includes('api-version=') ? 'query' : 'default');
}

export const httpDefects = defectsOf('HTTP', {
  'version-query-first': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['GET /api/versioned/profile'],
    wrong: 'The query parameter api-version has priority over X-API-Version.',
    right: 'X-API-Version has priority.',
    before(request) {
      const sent = request.raw.headers['x-api-version'];
      if (sent === undefined || !version.test(sentParameter(request, 'api-version') ?? '')) return;
      setHeader(request, 'x-api-version', undefined);
    },
    after: showVersion,
  },
  'version-unknown-accepted': {
    level: 'junior',
    kind: 'status',
    endpoints: ['GET /api/versioned/profile'],
    wrong: 'An unsupported version in X-API-Version gets the latest version.',
    right: 'An unsupported version gets 400.',
    before(request) {
      const sent = request.raw.headers['x-api-version'];
      if (typeof sent === 'string' && !version.test(sent.trim())) {
        setHeader(request, 'x-api-version', undefined);
      }
    },
    after: showVersion,
  },
  'version-1-without-sunset': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['GET /api/v1/profile'],
    wrong: 'The deprecated version has no Sunset header.',
    right: 'Version 1 has the headers Deprecation, Sunset and Link.',
    after(response) {
      response.removeHeader('sunset');
    },
  },
  'version-2-header': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['GET /api/v2/profile'],
    wrong: 'X-API-Version is 1.',
    right: 'X-API-Version is the version of the response.',
    after(response) {
      response.setHeader('x-api-version', '1');
    },
  },
  'versions-current-old': {
    level: 'junior',
    kind: 'representation',
    endpoints: ['GET /api/versions'],
    wrong: 'The deprecated version is listed as current.',
    right: 'The current version is 2.',
    after(response) {
      const { json } = response;
      if (isMembers(json)) response.json = { ...json, current: '1' };
    },
  },
  'rate-limit-status-full': {
    level: 'middle',
    kind: 'representation',
    endpoints: ['GET /api/RateLimit/status'],
    wrong: 'remaining is always the limit.',
    right: 'remaining is the limit without the used requests.',
    after(response) {
      const { json } = response;
      if (isMembers(json)) response.json = { ...json, remaining: json.limit };
    },
  },
  'rate-limit-milliseconds': {
    level: 'middle',
    kind: 'time',
    endpoints: ['GET /api/RateLimit'],
    wrong: 'Retry-After has milliseconds.',
    right: 'Retry-After has seconds.',
    after(response) {
      const seconds = response.header('retry-after');
      if (seconds !== undefined) response.setHeader('retry-after', `${seconds}000`);
    },
  },
  'rate-limit-remaining': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['GET /api/RateLimit'],
    wrong: 'X-RateLimit-Remaining is one more than the requests that remain.',
    right: 'X-RateLimit-Remaining counts down from 4 to 0.',
    after(response) {
      const remaining = response.header('x-ratelimit-remaining');
      if (remaining === undefined) return;
      response.setHeader('x-ratelimit-remaining', String(Number(remaining) + 1));
    },
  },
  'rate-limit-reset-lost': {
    level: 'senior',
    kind: 'stored-data',
    endpoints: ['POST /api/RateLimit/reset'],
    wrong: 'The response confirms the reset, but the window remains.',
    right: 'The reset clears the window of the client.',
    stores: ['/api/RateLimit'],
    shownBy: shownByStatus,
    state: losesWrites,
  },
  'rate-limit-not-enforced': {
    level: 'middle',
    kind: 'resource-consumption',
    endpoints: ['GET /api/RateLimit'],
    wrong: 'Requests beyond the limit get 200, so that a client can send any number of them.',
    right: 'Requests beyond the limit get 429.',
    after(response) {
      const { json } = response;
      if (response.status !== 429) return;
      response.status = 200;
      if (isMembers(json)) response.json = { message: 'Request in this window.', remaining: 0 };
    },
  },
  'range-end-excluded': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['GET /api/http/bytes/:n'],
    wrong: 'The last byte of a range is missing.',
    right: 'A range includes its last byte (RFC 9110 section 14.1.2).',
    before(request) {
      const range = request.raw.headers.range ?? '';
      const [, start = '', end = ''] = /^bytes=(\d{1,9})-(\d{1,9})$/.exec(range) ?? [];
      if (Number(end) > Number(start)) {
        setHeader(request, 'range', `bytes=${start}-${Number(end) - 1}`);
      }
    },
  },
  'encoding-without-vary': {
    level: 'junior',
    kind: 'caching',
    endpoints: ['GET /api/http/encoding'],
    wrong:
      'The response has no Vary, so that caches send a coding to clients that cannot decode it.',
    right: 'A response that depends on Accept-Encoding has it in Vary.',
    after(response) {
      response.removeHeader('vary');
    },
  },
  'echo-last-value': {
    level: 'junior',
    kind: 'representation',
    endpoints: ['GET /api/methods/get'],
    wrong: 'Of a repeated query parameter, only the last value is shown.',
    right: 'A repeated query parameter is shown as the list of its values.',
    after(response) {
      const { json } = response;
      if (!isMembers(json?.query)) return;
      const entries = Object.entries(json.query).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.at(-1) : value,
      ]);
      response.json = { ...json, query: Object.fromEntries(entries) };
    },
  },
  'uploads-newest-first': {
    level: 'senior',
    kind: 'representation',
    endpoints: ['GET /api/http/uploads'],
    wrong: 'The file that was uploaded last comes first.',
    right: 'The file that was uploaded first comes first.',
    after(response) {
      const { json } = response;
      if (Array.isArray(json)) response.json = json.reverse();
      else if (Array.isArray(json?.files)) {
        response.json = { ...json, files: json.files.reverse() };
      }
    },
  },
  'own-records-unsorted': {
    level: 'middle',
    kind: 'filtering',
    endpoints: ['GET /my/:collection'],
    wrong: 'order=desc is ignored.',
    right: 'order=desc sorts in descending order.',
    before: changeQuery((query) => {
      if (query.get('order') === 'desc') query.delete('order');
    }),
  },
  'own-records-lost-update': {
    level: 'middle',
    kind: 'concurrency',
    endpoints: ['PUT /my/:collection/:id', 'PATCH /my/:collection/:id'],
    wrong: 'If-Match is ignored for your own data.',
    right: 'A record that does not match If-Match gets 412.',
    stores: ['/my'],
    before: (request) => setHeader(request, 'if-match', undefined),
  },
});
