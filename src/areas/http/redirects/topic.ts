/** Redirects within this service, and an end that reports what survived them. */

import { gotParameter } from '../../../base/text/got-value.js';
import { basePathOf, rootUrl, sentPathOf } from '../../../http/address/sandbox-address.js';
import { anyMethod } from '../../../http/any-method.js';
import { readBody } from '../../../http/body/request-body.js';
import { showBody } from '../../../http/body/show-body.js';
import { sentCookies } from '../../../http/cookies/set-cookie.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/headers/header-values.js';
import { HttpError, rejectField } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Topic } from '../topic.js';
import { isPathOfThisService, redirectLocation } from './redirect-location.js';
import * as schemas from './schemas.js';

const path = '/api/http/redirect';
const shownBodyBytes = 64 * 1024;

type Redirecting = Request<{
  Params: { hops: string };
  Querystring: schemas.RedirectQuery;
}>;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const followed = 'Tools follow it, so what they show is another response.';

export const redirectsTopic = {
  name: 'redirects',
  title: 'Redirects',
  start: `${path}/3`,
  summary: 'Up to 20 redirects of any status and form, loops, and an end that says what survived.',
  presets: [{ title: 'three redirects', method: 'GET', path: `${path}/3` }],
  collection: {
    leftOut: Object.fromEntries(
      methods.flatMap((method) =>
        ['ByHops', 'Loop', 'MissingLocation'].map((name) => [
          `${method}HttpRedirect${name}`,
          followed,
        ]),
      ),
    ),
  },
  addRoutes(app, services) {
    for (const [url, schema, handler] of [
      [`${path}/:hops`, schemas.redirect, redirectOn],
      [`${path}/loop`, schemas.loop, redirectBack],
      [`${path}/missing-location`, schemas.missingLocation, redirectNowhere],
      [`${path}/end`, schemas.end, report],
    ] as const) {
      app.route(anyMethod, url, { schema }, (request, reply) =>
        handler(request as Redirecting, reply, services),
      );
    }
  },
} satisfies Topic;

async function redirectOn(request: Redirecting, reply: Reply, services: Services) {
  const left = hopsOf(request.params.hops);
  const { status, form, to, hops } = request.query;
  if (to !== undefined && !isPathOfThisService(to)) {
    rejectField(
      'to',
      `to must be a path of this service, which begins with one slash and has all but printable ASCII escaped${gotParameter('to', to)}. Nothing redirects to another host.`,
    );
  }
  const [next = '302', ...others] = status.split(',');
  // Each hop has its own in front, and who asks for the usual gets a short address.
  const query = new URLSearchParams();
  if (others.length > 0 || next !== '302') query.set('status', [...others, next].join(','));
  if (form !== 'path') query.set('form', form);
  if (to !== undefined) query.set('to', to);
  const passed = String(hops + 1);
  const goingOn = new URLSearchParams([...query, ['hops', passed]]);
  const target = left > 1 ? `${path}/${left - 1}?${goingOn}` : (to ?? `${path}/end?hops=${passed}`);
  return sendTo(request, reply, services, Number(next), target);
}

async function redirectBack(request: Redirecting, reply: Reply, services: Services) {
  const [status = '302'] = request.query.status.split(',');
  const search = request.raw.url?.match(/\?.*/)?.[0] ?? '';
  return sendTo(request, reply, services, Number(status), `${path}/loop${search}`);
}

async function redirectNowhere(request: Redirecting, reply: Reply) {
  const [first] = request.query.status.split(',');
  const status = Number(first);
  return reply.code(status).send({ status });
}

/** `target` is a path of this service as areas know it. */
function sendTo(
  request: Redirecting,
  reply: Reply,
  { baseUrlOf }: Services,
  status: number,
  target: string,
) {
  const baseUrl = baseUrlOf(request);
  const root = basePathOf(rootUrl(baseUrl, request.raw));
  // A client that names another sandbox's address means it.
  const base = target.startsWith('/s/') ? root : basePathOf(baseUrl);
  const location = redirectLocation(request.query.form, {
    origin: baseUrl.slice(0, baseUrl.length - basePathOf(baseUrl).length),
    from: root + sentPathOf(request),
    to: base + target,
  });
  return reply.code(status).header('location', location).send({ status, location });
}

function hopsOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    const second = text.toLowerCase() === 'other-port';
    throw new HttpError(
      404,
      second
        ? 'This service listens on one port alone, so nothing redirects to another.'
        : `There is no such redirect. The path ends in 1 to ${schemas.maxHops}, end, loop or missing-location.`,
    );
  }
  const hops = Number(text);
  if (hops >= 1 && hops <= schemas.maxHops) return hops;
  return rejectField(
    'hops',
    `The path parameter hops must be from 1 to ${schemas.maxHops}${gotParameter('hops', text)}.`,
  );
}

async function report(request: Request) {
  const { method, headers, query } = request;
  const body = await readBody(request, shownBodyBytes);
  const { text, encoding } = showBody(body);
  const { hops } = query as { readonly hops?: unknown };
  return {
    method,
    body: text,
    ...(encoding === 'base64' && { bodyEncoding: encoding }),
    ...(body.isTruncated && { bodyTruncated: true as const }),
    authorization: headers.authorization ?? null,
    cookies: sentCookies(headerValues(request, 'cookie')),
    referer: headers.referer ?? null,
    hops: typeof hops === 'string' && /^\d{1,2}$/.test(hops) ? Number(hops) : 0,
  };
}
