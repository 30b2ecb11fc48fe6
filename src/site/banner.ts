/** Prints the banner when the service has started. */

import { isAnyAddress } from '#base/is-any-address.js';
import { packageVersion } from '#base/package/package-files.js';
import { listenersOff, type SettingTable } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import type { Area } from '#kit/area.js';
import { networkUrls } from '#kit/network-urls.js';

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
  settings: SettingTable,
): string {
  const { baseUrl = url, logLevel } = config;
  const lines: (readonly [label: string, text: string])[] = [
    ['Listening on', url],
    ...networkLines(url, config),
    ...(tlsUrl === undefined ? [] : [['With TLS', tlsUrl] as const]),
    ...Object.entries(ownUrls).map(([prefix, ownUrl]) => [prefix.slice(1), ownUrl] as const),
    ...(config.h2c ? [['HTTP/2', `${url} (by prior knowledge)`] as const] : []),
    ['Open this', `${baseUrl}/`],
    ['Reference', `${baseUrl}/docs`],
    ...areas.flatMap(({ front }) => {
      const line = front.banner?.(baseUrl, config);
      return line === undefined ? [] : [line];
    }),
    ...listenersOff(settings, config).map(
      ({ name, flag }) => [name, `off (switch on with ${flag})`] as const,
    ),
    ['State', stateOf(config)],
    ['Log level', `${logLevel} (LOG_LEVEL=info shows each request)`],
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  return [
    '',
    `  Practice API ${packageVersion}`,
    '',
    ...lines.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`),
    '',
    '  Stop with Ctrl+C.',
    '',
  ].join('\n');
}

/** The URL of a shared state may have a password. */
function stateOf({ stateFile, stateUrl }: Config): string {
  if (stateUrl !== undefined) return 'shared by STATE_URL';
  return stateFile ?? 'in memory (keep it with --state-file state.practice)';
}

/** The same for programs that start the service: one line of JSON. */
export function jsonBanner({ url, tlsUrl, ownUrls }: Addresses, config: Config): string {
  const { baseUrl = url, logLevel } = config;
  return JSON.stringify({
    name: 'Practice API',
    version: packageVersion,
    pid: process.pid,
    url,
    addresses: networkUrls(config.host, portOf(url)).map((each) => each.url),
    tlsUrl: tlsUrl ?? null,
    ownUrls: Object.fromEntries(
      Object.entries(ownUrls).map(([prefix, ownUrl]) => [prefix.slice(1), ownUrl]),
    ),
    reference: `${baseUrl}/docs`,
    logLevel,
  });
}

/** The URLs to give to other people, where the service listens on all addresses. */
function networkLines(url: string, { host }: Config): (readonly [string, string])[] {
  if (!isAnyAddress(host)) return [];
  const lines = networkUrls(host, portOf(url)).map(
    (each) => ['For others', `${each.url} (${each.name})`] as const,
  );
  return lines.length > 0 ? lines : [['For others', 'none: this machine has no network']];
}

/** Returns the port also where it is the default of the scheme. */
function portOf(url: string): number {
  return Number(new URL(url).port || 80);
}
