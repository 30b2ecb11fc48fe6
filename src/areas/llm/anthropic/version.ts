/** The header `anthropic-version`. */

import type { Request } from '#http/exchange.js';
import { mistake } from '../messages/mistake.js';

const header = 'anthropic-version';

/** Versions that published SDKs send. */
const versions = ['2023-06-01', '2026-10-21'] as const;

export type Version = (typeof versions)[number];

/** Rejects a request without a known version. */
export function checkVersion(request: Request): void {
  versionOf(request);
}

export function versionOf(request: Request): Version {
  const given = request.headers[header];
  const version = versions.find((each) => each === given);
  if (version !== undefined) return version;
  const fault = given === undefined ? 'This header is required.' : 'Unknown version.';
  throw mistake(400, `${fault} Send ${versions.join(' or ')}.`, { param: header });
}
