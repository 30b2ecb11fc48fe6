import { setting } from '../../config/setting.js';

export const metricsSettings = {
  /** Bearer token that `/metrics` is kept to; open to everyone by default. */
  metricsToken: setting<string | undefined>({
    flag: 'metrics-token',
    placeholder: 'token',
    meaning: 'bearer token that /metrics is kept to (default: open to everyone)',
    default: undefined,
    isSecret: true,
    parse: parseMetricsToken,
  }),
};

/** As RFC 6750 section 2.1 lets a bearer token be; long enough not to be guessed. */
function parseMetricsToken(text: string): string {
  if (!/^[\w.~+/-]{16,512}=*$/.test(text)) {
    throw new Error('must be 16 to 512 letters, digits or - . _ ~ + / characters');
  }
  return text;
}
