/** Redirects that lead around, to `/get` in the end. */

import { gotParameter } from '../../base/text/got-value.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Handler, Lab } from './lab.js';

export function redirect(reply: Reply, location: string, status = 302): Reply {
  return reply.code(status).header('location', location).send();
}

const queryOf = (request: Request) => request.query as Readonly<Record<string, unknown>>;

/** `n` hops. Only the first is of this path: httpbin continues below the path of the form asked for. */
export const redirectTimes: Handler = (request, reply, lab) => {
  const isAbsolute = String(queryOf(request).absolute).toLowerCase() === 'true';
  return hop(request, reply, lab, isAbsolute ? 'absolute' : 'relative');
};

export const redirectRelatively: Handler = (request, reply, lab) => {
  return hop(request, reply, lab, 'relative');
};

export const redirectAbsolutely: Handler = (request, reply, lab) => {
  return hop(request, reply, lab, 'absolute');
};

function hop(request: Request, reply: Reply, { paths }: Lab, form: 'absolute' | 'relative'): Reply {
  const { n } = request.params as { readonly n: number };
  const next = n === 1 ? '/get' : `/${form}-redirect/${n - 1}`;
  return redirect(
    reply,
    form === 'absolute' ? paths.url(request, next) : paths.path(request, next),
  );
}

export const redirectTo: Handler = (request, reply, { paths }) => {
  const { url, statusCode } = targetOf(queryOf(request));
  const here = paths.url(request, '/redirect-to');
  const target = URL.canParse(url, here) ? new URL(url, here) : undefined;
  if (!isPrintable(url) || target?.origin !== paths.origin(request)) {
    throw rejection(
      'url',
      `url must be a path of this service, or an absolute address that begins with its own: nobody should be led elsewhere by a link to here${gotParameter('url', url)}.`,
    );
  }
  // As it was given, but what is not ASCII escaped, as in every URL.
  return redirect(reply, escapeBeyondAscii(url), statusCode);
};

/** The names are accepted in any letter case. */
function targetOf(query: Readonly<Record<string, unknown>>) {
  const given = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
  const url = given.get('url');
  const status = given.get('status_code');
  if (typeof url !== 'string') {
    throw rejection(
      'url',
      `url must be given once: it says where to redirect to${gotParameter('url', url)}.`,
    );
  }
  if (status !== undefined && (typeof status !== 'string' || !/^3\d\d$/.test(status))) {
    throw rejection(
      'status_code',
      `status_code must be an integer from 300 to 399${gotParameter('status_code', status)}.`,
    );
  }
  return { url, statusCode: status === undefined ? 302 : Number(status) };
}

function rejection(field: string, message: string): HttpError {
  return new HttpError(400, message, { body: { errors: [{ field, message }] } });
}

/** Clients differ in what they make of others, and of backslashes. */
function isPrintable(url: string): boolean {
  return /^[^\p{Cc}\p{Cs}\s\\]+$/u.test(url);
}

function escapeBeyondAscii(url: string): string {
  return url.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
