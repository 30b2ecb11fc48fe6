/** Contents that name the service by the base URL that callers use: made once, for any base URL. */

import type { Awaitable } from '../../base/awaitable.js';
import { lazily } from '../../base/lazily.js';
import { turns } from '../../base/work-in-turns.js';
import { type Content, hashOf, passingContent } from './content.js';

/** Stands for the host of the service, also in recorded calls and in texts that are made by the build. */
export const placeholderHost = 'base-url.invalid';

export const placeholderBaseUrl = `http://${placeholderHost}`;

/** `requireRoom` gets the approximate length of a text that is still to be made, and throws where it must not be. */
export type AddressedContent = (
  baseUrl: string,
  requireRoom?: (bytes: number) => void,
) => Promise<Content>;

/**
 * Makes the text when it is first requested, with `placeholder` for the host. Each caller gets it with its own base URL,
 * and as `finish` changes it. Callers can make up hosts, so only the content of the latest base URL is kept.
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
    // Clients that make up hosts could otherwise have hundreds of texts made in one turn of the event loop. Time is left
    // only until the first text is made, so nothing may be awaited in between.
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

/** Latin-1 keeps the bytes as they are. */
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
