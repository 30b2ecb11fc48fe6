/** Responses that tell a request back, each with a choice of the same members. */

import { rootUrl, sentTargetOf } from '../../http/address/sandbox-address.js';
import { originForm } from '../../http/address/target.js';
import type { Request } from '../../http/exchange.js';
import type { Handler, Lab } from './lab.js';
import { type Content, readContent } from './read-content.js';
import { sendJson, sendLarge } from './send-json.js';
import { showHeaders } from './show-headers.js';

/** What is known before the body is read. */
const headMembers = {
  args: ({ query }: Request) => query,
  headers: ({ raw, query }: Request) => {
    return showHeaders(raw.rawHeaders, Object.hasOwn(query as object, 'show_env'));
  },
  method: ({ method }: Request) => method,
  origin: ({ ip }: Request) => ip,
  url: urlOf,
} as const;

export type HeadMember = keyof typeof headMembers;
export type ContentMember = Exclude<keyof Content, 'bodyTruncated' | 'layout'>;

/** The members that a GET of httpbin tells. */
export const ofGet = ['args', 'headers', 'origin', 'url'] as const;

export const ofContent = ['data', 'files', 'form', 'json'] as const;

export function describeHead(
  request: Request,
  lab: Lab,
  members: readonly HeadMember[],
): Record<string, unknown> {
  return Object.fromEntries(members.map((member) => [member, headMembers[member](request, lab)]));
}

/** Tells of the head alone. */
export function echoHead(...members: readonly HeadMember[]): Handler {
  return (request, reply, lab) => sendJson(reply, describeHead(request, lab, members));
}

/** Tells of the head and of the body. */
export function echoAll(
  head: readonly HeadMember[],
  content: readonly ContentMember[] = ofContent,
): Handler {
  return async (request, reply, lab) => {
    const whole = await readContent(request, reply);
    const { bodyTruncated, layout } = whole;
    const ofBody = Object.fromEntries(content.map((member) => [member, whole[member]]));
    const value = { ...describeHead(request, lab, head), ...ofBody, bodyTruncated };
    return layout ? sendLarge(request, reply, value, layout) : sendJson(reply, value);
  };
}

/** As the client wrote it, beginning with what this service is reached by. */
function urlOf(request: Request, { services }: Lab): string {
  const { raw } = request;
  return rootUrl(services.baseUrlOf(request), raw) + originForm(sentTargetOf(raw));
}
