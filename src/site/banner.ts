/** Prints the banner when the service has started. */

import { packageVersion } from '../base/package-folder.js';
import type { Config } from '../config/settings.js';
import type { Area } from '../kit/area.js';

/** URLs of the service. */
interface Addresses {
  readonly url: string;
  /** URL with TLS. */
  readonly tlsUrl: string | undefined;
  readonly ownUrls: Readonly<Record<string, string>>;
}

/** Writes the banner, one link per line, with the lines of the areas. */
export function banner(
  areas: readonly Area[],
  { url, tlsUrl, ownUrls }: Addresses,
  config: Config,
): string {
  const { baseUrl = url, logLevel } = config;
  const lines = [
    ['Listening on', url],
    ...(tlsUrl === undefined ? [] : [['With TLS', tlsUrl]]),
    ...Object.entries(ownUrls).map(([prefix, ownUrl]) => [prefix.slice(1), ownUrl]),
    ['Open this', `${baseUrl}/`],
    ['Reference', `${baseUrl}/docs`],
    ...areas.flatMap(({ front }) => {
      const line = front.banner?.(baseUrl, config);
      return line === undefined ? [] : [line];
    }),
    ['Log level', `${logLevel} (LOG_LEVEL=info shows each request)`],
  ];
  return [
    '',
    `  Practice API ${packageVersion}`,
    '',
    ...lines.map(([label = '', text]) => `  ${label.padEnd(12)}  ${text}`),
    '',
    '  Stop with Ctrl+C.',
    '',
  ].join('\n');
}
