/** The settings of the area. */

import { parsePort } from '#config/parse-settings.js';
import { setting, signingKey } from '#config/setting.js';

export const httpbinSettings = {
  /** The port with httpbin's paths at its root, 0 for any free port; off by default. */
  httpbinPort: setting<number | undefined>({
    group: 'listen',
    flag: 'httpbin-port',
    placeholder: 'number',
    meaning: 'short for --serve httpbin=number (default: off)',
    default: undefined,
    parse: parsePort,
    listener: { name: 'httpbin', flag: '--httpbin-port 3002' },
  }),
  /** Signs nonces; at least 32 bytes, random by default. */
  httpbinKey: signingKey('httpbin-nonce-key', 'key that signs nonces of /httpbin/digest-auth'),
};
