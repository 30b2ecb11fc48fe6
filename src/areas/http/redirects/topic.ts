/** Redirects within this service, and a final endpoint that reports what survived them. */

import { Type } from 'typebox';
import { gotParameter } from '#base/text/got-value.js';
import { checkRedirectTarget } from '#http/address/redirect-target.js';
import { basePathOf, prefixOf, rootUrl, sentPathOf } from '#http/address/sandbox-address.js';
import { isBelow } from '#http/address/target.js';
import { anyMethod } from '#http/any-method.js';
import { readBody } from '#http/body/request-body.js';
import { showBody } from '#http/body/show-body.js';
import { sentCookies } from '#http/cookies/set-cookie.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError, rejectField } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { anyBodies, anyContent, anyQuery } from '#kit/describe/any-body.js';
import { nullableText, oneOf, optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos, unvalidated } from '#kit/endpoint.js';
import { presetToken } from '#kit/offers/front-page.js';
import type { Runtime, ServiceListener } from '#kit/services.js';
import type { Topic } from '../topic.js';
import { type LocationForm, locationForms, redirectLocation } from './redirect-location.js';

const path = '/api/http/redirect';
const maxHops = 20;
const shownBodyBytes = 64 * 1024;

const operationIds = ['ByHops', 'Loop', 'MissingLocation', 'OtherPort'].map(
  (name) => `getHttpRedirect${name}`,
);
const followed = 'Tools follow the redirect, so they show another response.';

export const redirectsTopic: Topic = {
  name: 'redirects',
  title: 'Redirects',
  start: `${path}/3`,
  summary:
    'Up to 20 redirects with any status and form of Location, loops, and a report of what survived them.',
  offers: [presetToken.of(() => ({ title: 'three redirects', method: 'GET', path: `${path}/3` }))],
  collection: {
    leftOut: Object.fromEntries(operationIds.map((operationId) => [operationId, followed])),
  },
  endpoints: ({ runtime: { listeners } }) => [
    redirect,
    redirectBack,
    redirectNowhere,
    redirectToOtherPort(listeners),
    report,
  ],
};

const statusPattern = '(?:30[12378])';
const status = Type.String({
  default: '302',
  pattern: `^${statusPattern}(?:,${statusPattern}){0,19}$`,
  description: '301, 302, 303, 307 or 308; several separated by commas are used in turn.',
});
const to = optionalText(
  'The final target: a path of this service; /api/http/redirect/end by default.',
);
const form = oneOf(locationForms, {
  default: 'path',
  description: 'The form of Location: an absolute path, an absolute URL, or a relative reference.',
});

const redirecting = {
  responses: {
    302: Type.Object({ status: Type.Integer(), location: text('Same as the header.') }),
    default: anyContent('The requested status, and Location; also any error.'),
  },
  responseHeaders: { 302: { Location: text('The URL to follow.') } },
};

const redirect = endpoint(anyMethod, `${path}/:hops`, {
  summary: 'Redirect n times within this service',
  description: `Up to ${maxHops} times. Never to another host.`,
  params: { hops: text(`Remaining redirects, 1 to ${maxHops}.`) },
  query: openExceptTypos({
    status,
    form,
    to,
    hops: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: maxHops,
      description: 'Previous redirects; each adds itself.',
    }),
  }),
  ...redirecting,
  responses: { ...redirecting.responses, 404: errorSchema },
  examples: {
    'The first of three': { path: { hops: '3' } },
    'Alternating statuses, relative, to another end': {
      path: { hops: '2' },
      query: { status: '302,307', form: 'relative', to: '/api/methods/any' },
    },
    'Preserved method and body': { path: { hops: '1' }, query: { status: '308' } },
    'Too many redirects': { path: { hops: '21' } },
    'An unknown kind': { path: { hops: 'nowhere' } },
  },
  async handle(request, reply) {
    const left = hopsOf(request.params.hops);
    // Observers compare the body with the next one.
    if (request.onParsed !== undefined) await readBody(request, shownBodyBytes);
    const { status, form, to: given, hops } = request.query;
    const end = checkedTarget(given, request);
    const [next = '302', ...others] = status.split(',');
    // The next redirect uses the next status; defaults are omitted.
    const query = new URLSearchParams();
    if (others.length > 0 || next !== '302') query.set('status', [...others, next].join(','));
    if (form !== 'path') query.set('form', form);
    if (end !== undefined) query.set('to', end);
    query.set('hops', String(hops + 1));
    const last = end ?? `${path}/end?hops=${hops + 1}`;
    const target = left > 1 ? `${path}/${left - 1}?${query}` : last;
    return sendTo(request, reply, form, Number(next), target);
  },
});

const redirectBack = endpoint(anyMethod, `${path}/loop`, {
  summary: 'Redirect to itself',
  description: 'A client must detect the loop.',
  query: openExceptTypos({ status, form }),
  ...redirecting,
  examples: { 'To itself': {} },
  handle(request, reply) {
    const { status, form } = request.query;
    const search = request.url.match(/\?.*/)?.[0] ?? '';
    return sendTo(request, reply, form, Number.parseInt(status, 10), `${path}/loop${search}`);
  },
});

const redirectNowhere = endpoint(anyMethod, `${path}/missing-location`, {
  summary: 'Redirect without Location',
  description: 'A client has nothing to follow, so it must return this response.',
  query: openExceptTypos({ status }),
  responses: { ...redirecting.responses, 302: Type.Object({ status: Type.Integer() }) },
  examples: { 'To nowhere': {} },
  handle(request, reply) {
    const status = Number.parseInt(request.query.status, 10);
    return reply.code(status).send({ status });
  },
});

const redirectToOtherPort = (listeners: Runtime['listeners']) =>
  endpoint(anyMethod, `${path}/other-port`, {
    summary: 'Redirect to another port of this service',
    description:
      'To a port with the same scheme if there is one, otherwise with the other scheme. Browsers treat it as another origin.',
    query: openExceptTypos({ status, to }),
    ...redirecting,
    responses: { ...redirecting.responses, 404: errorSchema },
    examples: {
      'Through a mapped port': {},
      'To another host': { query: { to: '//example.org/' } },
    },
    handle(request, reply) {
      const { status, to } = request.query;
      const { hostname } = new URL(request.baseUrl);
      // The certificates of other ports do not include the other host names of this machine.
      const host = hostname.endsWith('.localhost') ? 'localhost' : hostname;
      const wanted = checkedTarget(to, request);
      const { scheme, port, prefix } = otherListener(listeners(), request);
      const target =
        prefix === undefined
          ? pathOf(request, wanted ?? `${path}/end?hops=1`)
          : pathBelow(prefix, wanted, request);
      const location = `${scheme}://${host}:${port}${target}`;
      const code = Number.parseInt(status, 10);
      return reply.code(code).header('location', location).send({ status: code, location });
    },
  });

/**
 * Returns a path on a port whose URLs omit a prefix: the target, if it is below the prefix, otherwise the first page.
 */
function pathBelow(prefix: string, target: string | undefined, request: Request): string {
  const isReachable = target !== undefined && isBelow(target, prefix);
  const inside = isReachable ? target.slice(prefix.length) : '';
  return prefixOf(request.raw) + (inside.startsWith('/') ? inside : `/${inside}`);
}

function otherListener(listeners: readonly ServiceListener[], request: Request): ServiceListener {
  const { protocol, port } = new URL(request.baseUrl);
  const known = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  if (known !== request.socket.localPort) {
    const message =
      'The request came through a proxy or a mapped port, so clients cannot reach the other ports of this service.';
    throw new HttpError(404, message);
  }
  const others = listeners.filter(({ port }) => port !== known);
  const ofScheme = others.filter(({ scheme }) => `${scheme}:` === protocol);
  const other = ofScheme.find(({ prefix }) => prefix === undefined) ?? ofScheme[0] ?? others[0];
  if (other !== undefined) return other;
  const message = 'This service listens on only one port. Start it with --tls-port for another.';
  throw new HttpError(404, message);
}

/** `target` is a path of this service, without mount and sandbox. */
function sendTo(
  request: Request,
  reply: Reply,
  form: LocationForm,
  status: number,
  target: string,
) {
  const { baseUrl, raw } = request;
  const basePath = basePathOf(baseUrl);
  const location = redirectLocation(form, {
    origin: baseUrl.slice(0, baseUrl.length - basePath.length),
    from: basePathOf(rootUrl(baseUrl, raw)) + sentPathOf(request),
    to: pathOf(request, target),
  });
  return reply.code(status).header('location', location).send({ status, location });
}

/** A target in another sandbox keeps its sandbox prefix. */
function pathOf({ baseUrl, raw }: Request, target: string): string {
  return basePathOf(target.startsWith('/s/') ? rootUrl(baseUrl, raw) : baseUrl) + target;
}

function checkedTarget(given: string | undefined, { baseUrl }: Request): string | undefined {
  if (given === undefined) return undefined;
  return checkRedirectTarget(given, { parameter: 'to', base: baseUrl, isPath: true });
}

function hopsOf(given: string): number {
  if (!/^\d{1,9}$/.test(given)) {
    const message = `Unknown redirect. The path must end with 1 to ${maxHops}, end, loop, missing-location or other-port.`;
    throw new HttpError(404, message);
  }
  const hops = Number(given);
  if (hops >= 1 && hops <= maxHops) return hops;
  const got = gotParameter('hops', given);
  return rejectField('hops', `The path parameter hops must be from 1 to ${maxHops}${got}.`);
}

const report = endpoint(anyMethod, `${path}/end`, {
  summary: 'Report what survived the redirects',
  description: 'Works without redirects, too.',
  query: unvalidated({
    hops: Type.Optional(Type.Integer({ description: 'As counted by the redirects.' })),
    ...anyQuery,
  }),
  ...anyBodies,
  responses: {
    200: Type.Object({
      method: Type.String(),
      body: nullableText('As text, or as base64 if it is not UTF-8; at most 64 KiB.'),
      bodyEncoding: Type.Optional(Type.Literal('base64')),
      bodyTruncated: Type.Optional(Type.Literal(true)),
      authorization: nullableText('The Authorization header.'),
      cookies: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      referer: nullableText('The Referer header.'),
      hops: Type.Integer({ description: 'Number of redirects before this request.' }),
    }),
    413: errorSchema,
  },
  examples: (method) => ({
    'Everything that survived': {
      query: { hops: 3 },
      headers: { Cookie: 'a=1', Authorization: 'Bearer demo' },
      ...(/^P/.test(method) && { json: { name: 'Ada' } }),
    },
  }),
  async handle(request) {
    const { method, headers, query } = request;
    const body = await readBody(request, shownBodyBytes);
    const shown = showBody(body);
    const hops: unknown = query.hops;
    return {
      method,
      body: shown.text,
      ...(shown.encoding === 'base64' && { bodyEncoding: shown.encoding }),
      ...(body.isTruncated && { bodyTruncated: true }),
      authorization: headers.authorization ?? null,
      cookies: sentCookies(headerValues(request, 'cookie')),
      referer: headers.referer ?? null,
      hops: typeof hops === 'string' && /^\d{1,2}$/.test(hops) ? Number(hops) : 0,
    };
  },
});
