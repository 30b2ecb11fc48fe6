/** Endpoints that return JSON to programs, and pages to browsers that send forms. */

import { type Static, type TSchema, Type } from 'typebox';
import { isJsonType, mediaType } from '#http/body/request-body.js';
import { realm, unauthorized } from '#http/credentials/challenge.js';
import { isFault } from '#http/credentials/fault.js';
import type { Fields } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { parseForm } from '#http/oauth/form.js';
import { failures } from '#http/schemas/error-schema.js';
import { type Endpoint, type EndpointSpec, endpoint } from '#kit/endpoint.js';
import { sendPage } from './pages.js';
import { path } from './path.js';
import { type SessionParts, Visitor } from './visitor.js';

const formType = 'application/x-www-form-urlencoded';

export const formResponses = {
  303: Type.Null({ description: "For a browser's form: redirects to the page." }),
  ...failures(403, 413, 415),
};

type VisitSpec<Body extends TSchema = TSchema> = Omit<
  EndpointSpec<Fields, Fields, Fields, Body>,
  'handle'
> & { readonly visit: (visitor: Visitor, body: Static<Body>) => unknown };

/** Returns a function that creates an endpoint for visitors, at a path below the sessions' path. */
export function visitEndpoint<Body extends TSchema>(
  method: 'GET' | 'POST',
  below: string,
  { visit, ...spec }: VisitSpec<Body>,
) {
  return (parts: SessionParts): Endpoint =>
    endpoint<Fields, Fields, Fields, Body>(method, path + below, {
      ...(spec as Omit<VisitSpec<Body>, 'visit'>),
      handle: (request, reply) => visit(new Visitor(request, reply, parts), request.body),
    });
}

/** Creates an endpoint that other sites cannot use through a browser. A rejected form gets its page again. */
export function formEndpoint<Body extends TSchema>(action: string, spec: VisitSpec<Body>) {
  return visitEndpoint<Body>('POST', `/${action}`, {
    ...spec,
    bodies: { [formType]: Type.Unsafe<object>({ type: 'object' }) },
    otherBodies: { [formType]: parseBody },
    async visit(visitor, body) {
      try {
        await checkOrigin(visitor, body as { readonly csrf?: string });
        return await spec.visit(visitor, body);
      } catch (error) {
        if (!(error instanceof HttpError) || !wantsPage(visitor)) throw error;
        visitor.reply.headers(error.headers);
        return sendPage(visitor, await visitor.useSession(), error);
      }
    },
  });
}

/** Parses a form to the equivalent JSON. Browsers do not send an unchecked checkbox. */
function parseBody(text: string): object {
  const form = parseForm(text);
  if (isFault(form)) throw new HttpError(400, form.fault);
  const { remember, ...fields } = Object.fromEntries(form);
  return remember === undefined ? fields : { ...fields, remember: remember !== 'false' };
}

/**
 * Rejects requests that another site can make a browser send: a form without its token, and a body that needs no
 * preflight. Browsers send no cookies with JSON from other sites, because CORS here allows no credentials.
 */
async function checkOrigin(visitor: Visitor, body: { readonly csrf?: string }): Promise<void> {
  const { request, sandbox, baseUrl } = visitor;
  const { 'content-type': contentType } = request.headers;
  if (mediaType(contentType) === formType) {
    const token =
      body.csrf ?? singleHeader(request, 'x-csrf-token') ?? singleHeader(request, 'x-xsrf-token');
    if (visitor.isFormToken(token, await sandbox.now())) return;
    throw new HttpError(
      403,
      'The CSRF token is missing, expired, or from another browser or session. GET /api/auth/session/csrf returns one; send it as the field csrf, with the cookies.',
    );
  }
  const origin = singleHeader(request, 'origin');
  if (isJsonType(contentType) || origin === undefined || origin === new URL(baseUrl).origin) return;
  throw new HttpError(
    403,
    'The request comes from a page of another origin. Send JSON, or a form.',
  );
}

function wantsPage({ request: { headers } }: Visitor): boolean {
  return mediaType(headers['content-type']) === formType && prefersPage(headers.accept);
}

/** Responds to a form with a redirect, so that reloading the page does not send it again. */
export function respond(visitor: Visitor, toProgram: () => unknown): unknown {
  const { reply, baseUrl } = visitor;
  return wantsPage(visitor) ? reply.redirect(`${baseUrl}${path}`, 303) : toProgram();
}

export const rejected = (message: string) => unauthorized(message, `Cookie realm="${realm}"`);
