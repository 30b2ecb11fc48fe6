/** One small picture in four formats, and the choice among them by `Accept` (RFC 9110 section 12.5.1). */

import { lazily } from '../../base/lazily.js';
import { addVary } from '../../http/caching/caching.js';
import { sendContent } from '../../http/caching/content.js';
import { HttpError } from '../../http/http-error.js';
import { readPreferences, weightOf } from '../../http/negotiation/read-preferences.js';
import type { Handler } from './lab.js';
import { readFile } from './pages.js';

/** In the order in which they are preferred where a client names several. */
const named = ['webp', 'svg', 'jpeg', 'png'] as const;
export type ImageFormat = (typeof named)[number];

/** And where it accepts any. */
const usual: ImageFormat = 'png';

export const mediaTypes: Readonly<Record<ImageFormat, string>> = {
  webp: 'image/webp',
  svg: 'image/svg+xml',
  jpeg: 'image/jpeg',
  png: 'image/png',
};

const contents = Object.fromEntries(
  named.map((format) => [format, lazily(() => readFile(`picture.${format}`, mediaTypes[format]))]),
) as Readonly<Record<ImageFormat, ReturnType<typeof lazily<ReturnType<typeof readFile>>>>>;

/** Drawn for this service; it changes with versions of it only. */
export function giveImage(format: ImageFormat): Handler {
  return (request, reply) => {
    reply.header('cache-control', 'public, max-age=3600');
    return sendContent(request, reply, contents[format]());
  };
}

export const negotiateImage: Handler = (request, reply, lab) => {
  addVary(reply, 'Accept');
  const format = chooseFormat(request.headers.accept);
  if (format !== undefined) return giveImage(format)(request, reply, lab);
  const accept = [...named.map((each) => mediaTypes[each]), 'image/*'];
  throw new HttpError(406, 'Client did not request a supported media type.', { body: { accept } });
};

/** `undefined` when none is wanted. */
export function chooseFormat(accept: string | undefined): ImageFormat | undefined {
  if (accept === undefined) return usual;
  const preferences = readPreferences(accept);
  // A type that is named goes before one that a wildcard allows, as weights do.
  const order = [...named.filter((format) => preferences.has(mediaTypes[format])), usual, ...named];
  let best: ImageFormat | undefined;
  let bestWeight = 0;
  for (const format of order) {
    const weight = weightOf(preferences, mediaTypes[format]);
    if (weight > bestWeight) {
      best = format;
      bestWeight = weight;
    }
  }
  return best;
}
