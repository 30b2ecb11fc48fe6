/**
 * Endpoints whose URL is an identifier, which clients compare as text: RFC 8414 section 3.3 and RFC 9728 section 3.3.
 * Elsewhere, letter case and a slash at the end do not matter.
 */

import { Type } from 'typebox';
import type { Reply, Request } from '../exchange.js';
import { HttpError } from '../http-error.js';
import { writeRoute } from './route-path.js';
import { prefixOf, sentPathOf } from './sandbox-address.js';

/** Returns the path as declared, with the values of its parameters. */
function declaredPath({ route, params }: Request): string {
  const values = params as Readonly<Record<string, string | undefined>>;
  return writeRoute(route?.path ?? '', (name) => values[name] ?? '');
}

/** A sandbox comes after the well-known part, or before all (RFC 8414 section 3.1). */
function inSandbox({ raw }: Request, path: string) {
  const prefix = prefixOf(raw);
  const [document = ''] = /^\/\.well-known\/[\w-]+/.exec(path) ?? [];
  return { usual: document + prefix + path.slice(document.length), other: prefix + path };
}

/** Returns the right path of a request that spells it differently. */
function rightSpelling(request: Request): string | undefined {
  const { usual, other } = inSandbox(request, declaredPath(request));
  const sent = sentPathOf(request);
  return sent === usual || sent === other ? undefined : usual;
}

/** Rejects other spellings of a document's URL, because the document is about another URL. */
export function rejectOtherSpelling(request: Request): void {
  const right = rightSpelling(request);
  if (right === undefined) return;
  throw new HttpError(
    404,
    `There is nothing at ${sentPathOf(request)}. Did you mean ${right}? Clients compare the URL in this document exactly.`,
    { suggestions: [declaredPath(request)] },
  );
}

/** Redirects other spellings of a protected URL to the URL that its metadata names. */
export function redirectOtherSpelling(request: Request, reply: Reply): void {
  if (rightSpelling(request) === undefined) return;
  const query = /\?.*/s.exec(request.url) ?? [''];
  reply.redirect(request.baseUrl + declaredPath(request) + query[0], 308);
}

export const redirectedSpelling = {
  308: Type.Null({ description: 'The URL has another letter case, or a slash at its end.' }),
};
