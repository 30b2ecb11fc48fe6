/** Contents that name the service by the base URL that callers use: made once, for any base URL. */

import type { Awaitable } from '../../base/awaitable.js';
import { lazily } from '../../base/lazily.js';
import { turns } from '../../base/work-in-turns.js';
import { type Content, hashOf, passingContent } from './content.js';

/** Stands for the host of the service, in recorded calls and in the texts of the build too. */
export const placeholderHost = 'base-url.invalid';

/** What `make` is to begin addresses with. */
export const placeholderBaseUrl = `http://${placeholderHost}`;

/**
 * Makes the text when first asked for, with `placeholder` for the host; each caller gets it with the base
 * URL that it has, and what else of it `finish` puts in. Callers can make up hosts, so only what the latest
 * base URL led to is kept: making it again takes two milliseconds for a description.
 */
export function addressedContent(
  contentType: string,
  make: () => Awaitable<string | Buffer>,
  placeholder = placeholderHost,
  finish?: (text: string, baseUrl: string) => string,
): AddressedContent {
  const made = lazily(async () => {
    const bytes = Buffer.from(await make());
    return { parts: splitAtPlaces(bytes, placeholder), hash: hashOf(bytes) };
  });
  let latest: { readonly baseUrl: string; readonly content: Content } | undefined;
  return async (baseUrl, requireRoom) => {
    const { parts, hash } = await made();
    // Clients that make up hosts could otherwise have hundreds of texts made in one turn of the event loop. Time is left
    // only until the first text is made, so nothing may be awaited in between.
    if (latest?.baseUrl !== baseUrl && !turns.hasTime()) await turns.next();
    if (latest?.baseUrl !== baseUrl) {
      requireRoom?.(lengthOf(parts));
      const bytes = fillPlaces(parts, baseUrl);
      const finished = finish ? Buffer.from(finish(bytes.toString(), baseUrl)) : bytes;
      latest = {
        baseUrl,
        content: passingContent(finished, contentType, hashOf(`${hash} ${baseUrl}`)),
      };
    }
    return latest.content;
  };
}

/** `requireRoom` gets the approximate length of a text that is still to be made, and throws where it must not be. */
export type AddressedContent = (
  baseUrl: string,
  requireRoom?: (bytes: number) => void,
) => Promise<Content>;

/** The bytes between the places for a base URL or a host. */
type AddressedParts = readonly (Buffer | 'base URL' | 'host')[];

const scheme = Buffer.from('http://');

function splitAtPlaces(bytes: Buffer, placeholder: string): AddressedParts {
  const parts: (Buffer | 'base URL' | 'host')[] = [];
  let start = 0;
  for (;;) {
    const place = bytes.indexOf(placeholder, start);
    if (place < 0) return [...parts, bytes.subarray(start)];
    const before = bytes.subarray(start, place);
    if (before.subarray(-scheme.length).equals(scheme)) {
      parts.push(before.subarray(0, -scheme.length), 'base URL');
    } else {
      parts.push(before, 'host');
    }
    start = place + placeholder.length;
  }
}

function lengthOf(parts: AddressedParts): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function fillPlaces(parts: AddressedParts, baseUrl: string): Buffer {
  const fillings = {
    'base URL': Buffer.from(baseUrl),
    host: Buffer.from(new URL(baseUrl).host),
  };
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? fillings[part] : part)));
}
