/** What a person sees when the service has started. */

import type { Config } from '../config/settings.js';
import { packageVersion } from '../package-version.js';

export function banner(url: string, { baseUrl = url, logLevel, accounts }: Config): string {
  return [
    '',
    `  Practice API ${packageVersion}`,
    '',
    `  Listening on  ${url}`,
    `  Open this     ${baseUrl}/`,
    `  Reference     ${baseUrl}/docs`,
    `  GraphQL       ${baseUrl}/graphql`,
    `  Webhook bins  ${baseUrl}/bins`,
    ...(accounts === 'required' ? [`  Accounts      ${baseUrl}/account`] : []),
    `  Credentials   ${baseUrl}/api/auth`,
    `  First try     curl ${baseUrl}/api/methods/get`,
    `  Log level     ${logLevel} (LOG_LEVEL=info shows each request)`,
    '',
    '  Stop with Ctrl+C.',
    '',
  ].join('\n');
}
