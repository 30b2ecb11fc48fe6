/** Whether a request that another area received was signed with the samples' secret. */

import { unixSeconds } from '../../base/whole-seconds.js';
import type { DeliveryVerdict, ReceivedDelivery } from '../../kit/delivery-verdict.js';
import { signingSecret } from './sign-delivery.js';
import { detectScheme, verifyDelivery } from './verify-delivery.js';

/** `undefined` for a request without a signature header that is known here. */
export function judgeDelivery({
  headers,
  body,
  isTruncated,
  nowMs,
}: ReceivedDelivery): DeliveryVerdict | undefined {
  const provider = detectScheme(headers);
  if (provider === undefined) return undefined;
  if (isTruncated) {
    const message = 'Only the beginning of the body was kept, so its signature was not checked.';
    return { provider, verified: false, message, part: 'body' };
  }
  const verdict = verifyDelivery(provider, {
    headers,
    body,
    secret: signingSecret,
    nowSeconds: unixSeconds(nowMs),
    isExplained: false,
  });
  return { provider, ...verdict };
}
