/** Fills base URL and credentials of the service into a guide. */

import type { Config } from '#config/settings.js';
import { placeholderHost } from '#http/caching/addressed-content.js';
import type { Area } from '#kit/area.js';

const host = placeholderHost.replaceAll('.', '\\.');
const placeholder = new RegExp(`(http|ws)://${host}|(?<![@/])${host}(?=/)|${host}`, 'g');

/**
 * Replaces the placeholder by the base URL. curl treats `placeholder/path` without a scheme as
 * http, so another scheme is added.
 */
export function fillInBaseUrl(text: string, baseUrl: string): string {
  const { host: ownHost } = new URL(baseUrl);
  const withoutHttp = baseUrl.replace(/^http:\/\//, '');
  return text.replaceAll(placeholder, (found, scheme: string | undefined, offset: number) => {
    if (scheme === 'http') return baseUrl;
    if (scheme === 'ws') return baseUrl.replace(/^http/, 'ws');
    const isAddress = text[offset + found.length] === '/' && !/[@/]/.test(text[offset - 1] ?? '');
    return isAddress ? withoutHttp : ownHost;
  });
}

/** Values that need no escapes in HTML, JSON and a shell. */
const plain = /^[\w.~-]+$/;
/** Values that are not ordinary words. */
const distinctive = /^(?=.*-)[\w.~-]{8,}$/;

export type Replacement = readonly [from: string, to: string];

/** Maps the test credentials of the guides to the configured ones. */
export function credentialReplacements(
  areas: readonly Area[],
  defaults: Config,
  config: Config,
): readonly Replacement[] {
  const partsIn = (settings: Config) =>
    areas.flatMap(({ front }) => front.credentials?.(settings) ?? []).map(({ parts }) => parts);
  const own = partsIn(config);
  return partsIn(defaults).flatMap((parts, index) => {
    const values = parts.map(({ value }, place): Replacement => {
      return [value, own[index]?.[place]?.value ?? value];
    });
    const [name, password] = values;
    // A name with its password, in curl's syntax, because a name such as `demo` is ambiguous.
    const pairs: Replacement[] =
      name && password ? [[`${name[0]}:${password[0]}`, `${name[1]}:${password[1]}`]] : [];
    return [...pairs, ...values.filter(([from]) => distinctive.test(from))].filter(
      ([from, to]) => from !== to && plain.test(to.replace(':', '')),
    );
  });
}

export function fillInCredentials(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((filled, [from, to]) => filled.replaceAll(from, () => to), text);
}
