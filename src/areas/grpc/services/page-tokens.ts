/** Tokens of pages: the place at which a page begins, signed, for one collection. */

import { isSameMac } from '#http/credentials/keyed-mac.js';
import { fieldFault } from '../messages/details.js';
import type { GrpcParts } from '../model/parts.js';

const macBytes = 12;

const macOf = ({ mac }: GrpcParts, collection: string, after: string) =>
  mac('page', collection, after).subarray(0, macBytes);

/** Returns the token of the page after an id. */
export function pageToken(parts: GrpcParts, collection: string, after: number): string {
  const text = String(after);
  return `${macOf(parts, collection, text).toString('base64url')}${text}`;
}

const form = /^([\w-]{16})(\d{1,10})$/;

/** Whether a token has the form of tokens of this service. */
export const isPageToken = (token: string): boolean => form.test(token);

/** Returns the id after which the page begins; 0 for the first. Throws for a changed token. */
export function placeOf(parts: GrpcParts, collection: string, token: string): number {
  if (token === '') return 0;
  const [, mac = '', after = ''] = form.exec(token) ?? [];
  const isRight = isSameMac(Buffer.from(mac, 'base64url'), macOf(parts, collection, after));
  if (isRight && after !== '') return Number(after);
  throw fieldFault(
    'page_token',
    'page_token must be the next_page_token of the page before, unchanged.',
  );
}
