/** Cookies: what came, setting them with any attribute, and what clients get wrong. */

import { gotValue } from '../../../base/text/got-value.js';
import { basePathOf } from '../../../http/address/sandbox-address.js';
import { queryFault } from '../../../http/address/target.js';
import {
  type CookieToSet,
  cookieFaults,
  setCookieHeader,
} from '../../../http/cookies/set-cookie.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { parseGivenDate } from '../../../http/headers/http-date.js';
import { HttpError, jsonContentType, rejectFaults, rejectField } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Topic } from '../topic.js';
import { asText, cameWith } from './came.js';
import { cookieWarnings } from './cookie-warnings.js';
import { jarHandlers } from './jar-handlers.js';
import { malformedCookies } from './malformed-cookies.js';
import * as schemas from './schemas.js';

const path = '/api/http/cookies';
const deep = `${path}/a/deep/path`;
const maxSet = 20;

export const cookiesTopic = {
  name: 'cookies',
  title: 'Cookies',
  start: path,
  summary: 'Cookies that came, cookies with any attribute, malformed ones, and a jar to be judged.',
  presets: [{ title: 'a cookie', method: 'GET', path: `${path}/set?flavour=oat` }],
  examples: () => [
    {
      title: 'Set a cookie that clients must drop, and see why',
      method: 'POST',
      path,
      json: { name: '__Host-session', value: 'a1b2', path: '/' },
      answer: { status: 200, headers: ['Set-Cookie'], has: 'demands Secure' },
    },
  ],
  collection: {
    leftOut: Object.fromEntries(
      ['getHttpCookiesJarById', 'getHttpCookiesJarByIdBySubPath'].map((operationId) => [
        operationId,
        'An exercise is for one jar, and a tool of requests has its own with every run.',
      ]),
    ),
  },
  addRoutes(app, services) {
    app.get(path, { schema: schemas.show }, async (request) => cameWith(request));
    app.post(path, { schema: schemas.setOne }, async (request, reply) =>
      setOne(services, request, reply, withExpiry(request.body)),
    );
    // Any name is a cookie's.
    const config = { takesEverything: true } as const;
    app.get(`${path}/set`, { schema: schemas.setSeveral, config }, async (request, reply) =>
      setSeveral(services, request, reply),
    );
    app.delete(`${path}/:name`, { schema: schemas.remove }, async (request, reply) =>
      setOne(services, request, reply, { ...request.query, ...ended(request.params.name) }),
    );
    app.get(`${path}/malformed`, { schema: schemas.listMalformed }, async (request) => {
      const base = `${services.baseUrlOf(request)}${path}/malformed`;
      const kinds = malformedCookies.map(({ kind, about }) => ({
        kind,
        about,
        url: `${base}/${kind}`,
      }));
      return { kinds, ...cameWith(request) };
    });
    app.get(`${path}/malformed/:kind`, { schema: schemas.malformed }, async (request, reply) =>
      setMalformed(services, request, reply, request.params.kind),
    );
    app.get(deep, { schema: schemas.deepPath }, async (request) => {
      const here = basePathOf(services.baseUrlOf(request)) + deep;
      return { path: here, matching: matchingPaths(here), ...cameWith(request) };
    });
    const ofJar = jarHandlers(services);
    app.post(`${path}/jar`, { schema: schemas.startJar }, ofJar.start);
    app.get(`${path}/jar/:id`, { schema: schemas.judge }, ofJar.judge);
    app.get(`${path}/jar/:id/*`, { schema: schemas.visit }, ofJar.visit);
  },
} satisfies Topic;

/** Sets a cookie, for the address of all these where no path is given, and says what is wrong with it. */
function setOne({ baseUrlOf }: Services, request: Request, reply: Reply, given: CookieToSet) {
  const baseUrl = baseUrlOf(request);
  const cookie = { path: basePathOf(baseUrl) + path, ...given };
  rejectFaults(cookieFaults(cookie));
  const setCookie = setCookieHeader(cookie);
  // Each of several is sent.
  reply.header('set-cookie', setCookie);
  const { hostname, protocol } = new URL(baseUrl);
  const warnings = cookieWarnings(cookie, { host: hostname, isHttps: protocol === 'https:' });
  return { name: cookie.name, value: cookie.value, setCookie, warnings };
}

function setSeveral(services: Services, request: Request, reply: Reply) {
  const fault = queryFault(request.raw.url ?? '');
  if (fault !== undefined) throw new HttpError(400, fault);
  const pairs = Object.entries(request.query as Record<string, string | string[]>).flatMap(
    ([name, values]) => [values].flat().map((value) => ({ name, value })),
  );
  if (pairs.length === 0 || pairs.length > maxSet) {
    throw new HttpError(400, `The query has the cookies to set, 1 to ${maxSet}: ?name=value.`);
  }
  const faults = pairs.flatMap((pair) =>
    cookieFaults(pair).map(({ message }) => ({ field: pair.name, message })),
  );
  rejectFaults(faults);
  return { cookies: pairs.map((pair) => setOne(services, request, reply, pair)) };
}

function withExpiry({ expires, ...given }: schemas.GivenCookie): CookieToSet {
  const cookie = { ...given, value: given.value ?? '' };
  if (expires === undefined) return cookie;
  const expiresMs = parseGivenDate(expires);
  if (expiresMs === undefined) {
    const got = gotValue('expires', expires);
    rejectField('expires', `expires must be a date in ISO 8601, or as HTTP writes it${got}.`);
  }
  return { ...cookie, expiresMs };
}

/** Set with an end in the past. A prefix demands then what it always does. */
function ended(name: string): CookieToSet {
  const isHost = /^__host-/i.test(name);
  return {
    name,
    value: '',
    maxAge: 0,
    expiresMs: 0,
    ...(/^__(?:secure|host|http)-/i.test(name) && { secure: true, httpOnly: true }),
    ...(isHost && { path: '/' }),
  };
}

function setMalformed({ baseUrlOf }: Services, request: Request, reply: Reply, wanted: string) {
  const found = malformedCookies.find(({ kind }) => kind === wanted);
  if (found === undefined) {
    throw new HttpError(404, `There is no such kind. GET ${path}/malformed lists them.`);
  }
  const { kind, about, keeps } = found;
  const setCookie = found.setCookie(`${basePathOf(baseUrlOf(request))}${path}/malformed`);
  const shown = { kind, about, setCookie: setCookie.map(asText), keeps, ...cameWith(request) };
  // In front of a body that is text, Node would write the bytes of the headers as UTF-8 once more.
  const body = Buffer.from(JSON.stringify(shown));
  return reply.header('set-cookie', setCookie).type(jsonContentType).send(body);
}

/** Every path whose cookies go to this one. */
function matchingPaths(here: string): string[] {
  const segments = here.split('/').slice(1);
  const paths = segments.map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}`);
  return ['/', ...paths.flatMap((each) => (each === here ? [each] : [each, `${each}/`]))];
}
