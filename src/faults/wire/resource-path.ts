/** The path of a request as rules, counts and logs of faults have it; the one place where it is taken for them. */

import type { Request } from '../../http/exchange.js';
import { originForm } from '../../http/origin-form.js';

/** Without scheme, host and query; escapes stay as they were sent. */
export function resourcePath({ raw }: Pick<Request, 'raw'>): string {
  return originForm(raw.url ?? '').split('?', 1)[0] ?? '';
}
