/** Contents that contain the base URL: made once, and filled in for each base URL. */

import type { Awaitable } from '#base/awaitable.js';
import { lazily } from '#base/lazily.js';
import { turns } from '#base/work-in-turns.js';
import { type Content, hashOf, passingContent } from './content.js';

/** Represents the host of the service, also in recorded calls and in texts from the build. */
export const placeholderHost = 'base-url.invalid';

export const placeholderBaseUrl = `http://${placeholderHost}`;

/**
 * `requireRoom` gets the approximate length of a text that is still to be made, and throws if there
 * is no room.
 */
export type AddressedContent = (
  baseUrl: string,
  requireRoom?: (bytes: number) => void,
) => Promise<Content>;

/**
 * Makes the text on first use, with `placeholder` as the host. Each caller gets it with its own
 * base URL, and as `finish` changes it. Callers can invent hosts, so only the content of the latest
 * base URL is kept.
 */
export function addressedContent(
  contentType: string,
  make: () => Awaitable<string | Buffer>,
  placeholder = placeholderHost,
  finish?: (text: string, baseUrl: string) => string,
): AddressedContent {
  const made = lazily(async () => {
    const bytes = Buffer.from(await make());
    return { bytes, hash: hashOf(bytes) };
  });
  let latest: { readonly baseUrl: string; readonly content: Content } | undefined;
  return async (baseUrl, requireRoom) => {
    const { bytes, hash } = await made();
    // Otherwise, clients that invent hosts could cause hundreds of texts in one turn of the event
    // loop. The check is valid only until the first text is made, so nothing may be awaited in
    // between.
    if (latest?.baseUrl !== baseUrl && !turns.hasTime()) await turns.next();
    if (latest?.baseUrl !== baseUrl) {
      requireRoom?.(bytes.length);
      const filled = fillPlaces(bytes, placeholder, baseUrl);
      const finished = finish ? Buffer.from(finish(filled.toString(), baseUrl)) : filled;
      const content = passingContent(finished, contentType, hashOf(`${hash} ${baseUrl}`));
      latest = { baseUrl, content };
    }
    return latest.content;
  };
}

/** Latin-1 keeps the bytes unchanged. */
function fillPlaces(bytes: Buffer, placeholder: string, baseUrl: string): Buffer {
  const [url, host] = [baseUrl, new URL(baseUrl).host].map((part) =>
    Buffer.from(part).toString('latin1'),
  );
  const filled = bytes
    .toString('latin1')
    .split(`http://${placeholder}`)
    .map((part) => part.split(placeholder).join(host))
    .join(url);
  return Buffer.from(filled, 'latin1');
}
