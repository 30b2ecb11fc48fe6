/** What of a guide depends on the service that shows it: the address it is called by, and its credentials. */

import type { Config } from '../../config/settings.js';
import { placeholderHost } from '../../http/caching/addressed-content.js';
import type { Area } from '../../kit/area.js';

const host = placeholderHost.replaceAll('.', '\\.');
const placeholder = new RegExp(`(http|ws)://${host}|(?<![@/])${host}(?=/)|${host}`, 'g');

/**
 * Puts the base URL where the build has left a place for it. `placeholder/path` without a scheme is what curl
 * takes for http: it gets the scheme where that is another.
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

/** Values that stand in HTML, JSON and a shell as they are. */
const plain = /^[\w.~-]+$/;
/** Those that are no ordinary words. */
const distinctive = /^(?=.*-)[\w.~-]{8,}$/;

export type Replacement = readonly [from: string, to: string];

/** What the guides call test credentials, and what they are here, where someone has set others. */
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
    // A name and its password, as curl takes them: by itself a name such as `demo` may stand for anything.
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
