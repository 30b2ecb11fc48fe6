/** Contents that name the service by the base URL that callers use: made once, for any base URL. */

import { lazily } from '../lazily.js';
import type { Awaitable } from '../state/state.js';
import { type Content, contentOf } from './content.js';

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
): (baseUrl: string) => Promise<Content> {
  const made = lazily(async () => splitAtPlaces(Buffer.from(await make()), placeholder));
  let latest: { readonly baseUrl: string; readonly content: Content } | undefined;
  return async (baseUrl) => {
    const parts = await made();
    if (latest?.baseUrl !== baseUrl) {
      const bytes = fillPlaces(parts, baseUrl);
      const finished = finish ? Buffer.from(finish(bytes.toString(), baseUrl)) : bytes;
      latest = { baseUrl, content: contentOf(finished, contentType) };
    }
    return latest.content;
  };
}

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

function fillPlaces(parts: AddressedParts, baseUrl: string): Buffer {
  const fillings = {
    'base URL': Buffer.from(baseUrl),
    host: Buffer.from(new URL(baseUrl).host),
  };
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? fillings[part] : part)));
}
