/** Responses that describe the request. Each has some of these members. */

import { type TSchema, Type } from 'typebox';
import { rootUrl, sentTargetOf } from '#http/address/sandbox-address.js';
import { originForm } from '#http/address/target.js';
import type { Reply, Request } from '#http/exchange.js';
import type { HeldRequests } from '#http/held-requests.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { sendLargeJson } from '#http/sending/large-json.js';
import { anyBodies, anyQuery } from '#kit/describe/any-body.js';
import { anyObject, text } from '#kit/describe/value-schemas.js';
import { unvalidated } from '#kit/endpoint.js';
import { showHeaders } from './headers.js';
import { readContent } from './read-content.js';
import { spec } from './spec.js';
import { sendJson } from './write-json.js';

const memberSchemas = {
  args: anyObject('The query parameters; a repeated parameter is a list.'),
  data: text('The body as text, or as a data: URL; empty for a form.'),
  files: anyObject('The files of a multipart body: their content as text, or as a data: URL.'),
  form: anyObject('The fields of a form; a repeated field is a list.'),
  headers: anyObject(
    'The headers, with each word of a name capitalized; a repeated header has its values joined with commas.',
  ),
  json: Type.Unknown({ description: 'The parsed body if it is JSON, otherwise null.' }),
  method: text('The method.'),
  origin: text('The IP address of the client.'),
  url: text('The URL of the request.'),
};

/** Members that need only the head of the request. */
const headMembers = {
  args: ({ query }: Request) => query,
  headers({ raw, route, query }: Request) {
    const asked = query as Readonly<Record<string, unknown>>;
    return showHeaders(raw.rawHeaders, {
      proxies: Object.hasOwn(asked, 'show_env'),
      lists: asked.headers === 'list' && route?.path.includes('/anything') === true,
    });
  },
  method: ({ method }: Request) => method,
  origin: ({ ip }: Request) => ip,
  /** The target as the client sent it, below the base URL. */
  url: ({ baseUrl, raw }: Request) => rootUrl(baseUrl, raw) + originForm(sentTargetOf(raw)),
} as const;

type HeadMember = keyof typeof headMembers;
type ContentMember = Exclude<keyof typeof memberSchemas, HeadMember>;

/** Members of the response to httpbin's GET. */
export const ofGet = ['args', 'headers', 'origin', 'url'] as const;

const ofContent = ['data', 'files', 'form', 'json'] as const;

const bodyTruncated = Type.Optional(
  Type.Literal(true, { description: 'Present if data has only the first 1 MiB of a longer body.' }),
);

const parseError = Type.Optional(text('Why a form is shown as data.'));

/** Describes an endpoint whose response has these members, and perhaps others. */
export function describing(
  names: readonly (HeadMember | ContentMember)[],
  more: Readonly<Record<string, TSchema>> = {},
) {
  const chosen = names.map((name) => [name, memberSchemas[name]]);
  return { 200: Type.Object({ ...Object.fromEntries(chosen), ...more }) };
}

export function describeHead(request: Request, members: readonly HeadMember[]) {
  const described: Record<string, unknown> = {};
  for (const member of members) described[member] = headMembers[member](request);
  return described;
}

export const echoHead = (summary: string, ...members: readonly HeadMember[]) =>
  spec({
    summary,
    query: unvalidated(anyQuery),
    responses: describing(members),
    handle: (request, reply) => sendJson(reply, describeHead(request, members)),
  });

const anyRequest = { query: unvalidated(anyQuery), ...anyBodies };

export const echoAll = (summary: string, ...more: readonly HeadMember[]) =>
  spec({
    summary,
    description:
      'Accepts any query and any body up to 10 MiB, of which 1 MiB is shown. A malformed form is shown as data.',
    ...anyRequest,
    responses: {
      ...describing([...[...ofGet, ...ofContent].sort(), ...more], { bodyTruncated, parseError }),
      413: errorSchema,
    },
    handle: (request, reply) => sendAll(request, reply, [...ofGet, ...more], ofContent),
  });

async function sendAll(
  request: Request,
  reply: Reply,
  head: readonly HeadMember[],
  content: readonly ContentMember[],
): Promise<Reply> {
  const whole = await readContent(request, reply);
  const { bodyTruncated, layout, parseError } = whole;
  const ofBody = Object.fromEntries(content.map((member) => [member, whole[member]]));
  const value = { ...describeHead(request, head), ...ofBody, bodyTruncated, parseError };
  if (layout === undefined) return sendJson(reply, value);
  reply.header('content-type', 'application/json');
  return sendLargeJson(request, reply, value, { layout, end: '\n' });
}

const maxDelaySeconds = 10;
const ofForm = ['data', 'files', 'form'] as const;

/** Waits for the time in the path, or until the service stops or the client disconnects. */
export const echoLate = (held: HeldRequests) =>
  spec({
    summary: `Describe the request after a delay of at most ${maxDelaySeconds} s`,
    params: { seconds: Type.Number({ minimum: 0 }) },
    ...anyRequest,
    responses: {
      ...describing([...ofGet, ...ofForm].sort(), { bodyTruncated, parseError }),
      413: errorSchema,
    },
    async handle(request, reply) {
      const seconds = Math.min(request.params.seconds, maxDelaySeconds);
      if (seconds > 0) await held.hold(request, reply, seconds * 1000).ended;
      return sendAll(request, reply, ofGet, ofForm);
    },
  });
