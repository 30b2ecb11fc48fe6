/** Redirects within this service, and an end that reports what survived them. */

import { Type } from 'typebox';
import { gotParameter } from '../../../base/text/got-value.js';
import { checkRedirectTarget } from '../../../http/address/redirect-target.js';
import { basePathOf, rootUrl, sentPathOf } from '../../../http/address/sandbox-address.js';
import { anyMethod } from '../../../http/any-method.js';
import { readBody } from '../../../http/body/request-body.js';
import { showBody } from '../../../http/body/show-body.js';
import { sentCookies } from '../../../http/cookies/set-cookie.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/headers/header-values.js';
import { HttpError, rejectField } from '../../../http/http-error.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { anyBodies, anyContent, anyQuery } from '../../../kit/describe/any-body.js';
import { nullableText, oneOf, optionalText, text } from '../../../kit/describe/value-schemas.js';
import { endpoint, open, unvalidated } from '../../../kit/endpoint.js';
import type { Topic } from '../topic.js';
import { type LocationForm, locationForms, redirectLocation } from './redirect-location.js';

const path = '/api/http/redirect';
const maxHops = 20;
const shownBodyBytes = 64 * 1024;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const operationIds = methods.flatMap((method) =>
  ['ByHops', 'Loop', 'MissingLocation'].map((name) => `${method}HttpRedirect${name}`),
);
const followed = 'Tools follow it, so what they show is another response.';

export const redirectsTopic: Topic = {
  name: 'redirects',
  title: 'Redirects',
  start: `${path}/3`,
  summary: 'Up to 20 redirects of any status and form, loops, and an end that says what survived.',
  presets: [{ title: 'three redirects', method: 'GET', path: `${path}/3` }],
  collection: {
    leftOut: Object.fromEntries(operationIds.map((operationId) => [operationId, followed])),
  },
  endpoints: () => [redirect, redirectBack, redirectNowhere, report],
};

const statusPattern = '(?:30[12378])';
const status = Type.String({
  default: '302',
  pattern: `^${statusPattern}(?:,${statusPattern}){0,19}$`,
  description: '301, 302, 303, 307 or 308; several separated by commas are used in turn.',
});
const form = oneOf(locationForms, {
  default: 'path',
  description: 'What Location is: an absolute path, an absolute URL, or a relative reference.',
});

const redirecting = {
  ...anyBodies,
  responses: {
    302: Type.Object({ status: Type.Integer(), location: text('As in the header.') }),
    default: anyContent('The status that was asked for, and Location; or any failure.'),
    400: errorSchema,
  },
  responseHeaders: { 302: { Location: text('Where to continue.') } },
};

const redirect = endpoint(anyMethod, `${path}/:hops`, {
  summary: 'Redirect as often as asked, within this service',
  description: `Up to ${maxHops} times. Never to another host.`,
  params: { hops: text(`1 to ${maxHops}: how many redirects are left.`) },
  query: open({
    status,
    form,
    to: optionalText('Where it ends: a path of this service; /api/http/redirect/end by default.'),
    hops: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: maxHops,
      description: 'How many redirects came before; each adds itself.',
    }),
  }),
  ...redirecting,
  responses: { ...redirecting.responses, 404: errorSchema },
  handle(request, reply) {
    const left = hopsOf(request.params.hops);
    const { status, form, to: given, hops } = request.query;
    const to =
      given === undefined
        ? undefined
        : checkRedirectTarget(given, { parameter: 'to', base: request.baseUrl, isPath: true });
    const [next = '302', ...others] = status.split(',');
    // The next redirect begins with the other statuses; defaults are left out.
    const query = new URLSearchParams();
    if (others.length > 0 || next !== '302') query.set('status', [...others, next].join(','));
    if (form !== 'path') query.set('form', form);
    if (to !== undefined) query.set('to', to);
    query.set('hops', String(hops + 1));
    const end = to ?? `${path}/end?hops=${hops + 1}`;
    const target = left > 1 ? `${path}/${left - 1}?${query}` : end;
    return sendTo(request, reply, form, Number(next), target);
  },
});

const redirectBack = endpoint(anyMethod, `${path}/loop`, {
  summary: 'Redirect to itself',
  description: 'A client must notice.',
  query: open({ status, form }),
  ...redirecting,
  handle(request, reply) {
    const { status, form } = request.query;
    const search = request.url.match(/\?.*/)?.[0] ?? '';
    return sendTo(request, reply, form, Number.parseInt(status, 10), `${path}/loop${search}`);
  },
});

const redirectNowhere = endpoint(anyMethod, `${path}/missing-location`, {
  summary: 'Redirect without Location',
  description: 'A client has nothing to follow, so this is its response.',
  query: open({ status }),
  ...anyBodies,
  responses: { ...redirecting.responses, 302: Type.Object({ status: Type.Integer() }) },
  handle(request, reply) {
    const status = Number.parseInt(request.query.status, 10);
    return reply.code(status).send({ status });
  },
});

/** `target` is a path of this service as areas know it. */
function sendTo(
  request: Request,
  reply: Reply,
  form: LocationForm,
  status: number,
  target: string,
) {
  const { baseUrl, raw } = request;
  const basePath = basePathOf(baseUrl);
  const root = basePathOf(rootUrl(baseUrl, raw));
  const location = redirectLocation(form, {
    origin: baseUrl.slice(0, baseUrl.length - basePath.length),
    from: root + sentPathOf(request),
    // A client that names another sandbox's address means it.
    to: (target.startsWith('/s/') ? root : basePath) + target,
  });
  return reply.code(status).header('location', location).send({ status, location });
}

function hopsOf(given: string): number {
  if (given.toLowerCase() === 'other-port') {
    const message = 'This service listens on one port alone, so nothing redirects to another.';
    throw new HttpError(404, message);
  }
  if (!/^\d{1,9}$/.test(given)) {
    const message = `There is no such redirect. The path ends in 1 to ${maxHops}, end, loop or missing-location.`;
    throw new HttpError(404, message);
  }
  const hops = Number(given);
  if (hops >= 1 && hops <= maxHops) return hops;
  const got = gotParameter('hops', given);
  return rejectField('hops', `The path parameter hops must be from 1 to ${maxHops}${got}.`);
}

const report = endpoint(anyMethod, `${path}/end`, {
  summary: 'Report what of a request survived its redirects',
  description: 'Also where there were none.',
  query: unvalidated({
    hops: Type.Optional(Type.Integer({ description: 'As the redirects counted.' })),
    ...anyQuery,
  }),
  ...anyBodies,
  responses: {
    200: Type.Object({
      method: Type.String(),
      body: nullableText('As text, or as base64 when it is not UTF-8; at most 64 KiB of it.'),
      bodyEncoding: Type.Optional(Type.Literal('base64')),
      bodyTruncated: Type.Optional(Type.Literal(true)),
      authorization: nullableText('The Authorization header.'),
      cookies: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      referer: nullableText('The Referer header.'),
      hops: Type.Integer({ description: 'How many redirects led here.' }),
    }),
    413: errorSchema,
  },
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
