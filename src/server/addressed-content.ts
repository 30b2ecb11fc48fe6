/** Contents that name the service by the address that callers use: made once, for any address. */

import { lazily } from '../lazily.js';
import type { Awaitable } from '../state/state.js';
import { type Content, contentOf } from './content.js';

/** Stands for the host of the service, in recorded calls too. */
export const placeholderHost = 'base-url.invalid';

/** What `make` is to begin addresses with. */
export const placeholderBaseUrl = `http://${placeholderHost}`;

/**
 * Makes the text when first asked for, with `placeholder` for the host; each caller gets it with the base
 * URL that it has, and what else of it `finish` puts in. Callers can make up hosts, so only what the latest
 * base URL led to is kept.
 */
export function addressedContent(
  contentType: string,
  make: () => Awaitable<string>,
  placeholder = placeholderHost,
  finish: (text: string, baseUrl: string) => string = (text) => text,
): (baseUrl: string) => Promise<Content> {
  const made = lazily(make);
  let latest: { readonly baseUrl: string; readonly content: Content } | undefined;
  return async (baseUrl) => {
    if (latest?.baseUrl !== baseUrl) {
      const text = (await made())
        .replaceAll(`http://${placeholder}`, () => baseUrl)
        .replaceAll(placeholder, new URL(baseUrl).host);
      const bytes = Buffer.from(finish(text, baseUrl));
      latest = { baseUrl, content: contentOf(bytes, contentType) };
    }
    return latest.content;
  };
}
