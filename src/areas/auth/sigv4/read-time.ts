/** The time of a signed request, compared with the clock of the sandbox. */

import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { reject } from './difference.js';

/** How far the time of a request may be from the clock, in either direction. */
const toleranceSeconds = 15 * 60;

const basicForm = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Returns the time from X-Amz-Date, otherwise from Date, as `20270312T180000Z`. */
export function readTime(request: Request): string {
  const sent = singleHeader(request, 'x-amz-date');
  if (sent !== undefined) return sent;
  const date = singleHeader(request, 'date');
  if (date === undefined) {
    reject('X-Amz-Date', 'It is missing, and so is Date. Send it as 20270312T180000Z.');
  }
  if (basicForm.test(date)) return date;
  const timeMs = /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(date)
    ? Date.parse(date)
    : Number.NaN;
  if (Number.isNaN(timeMs)) {
    reject('Date', 'It is not an HTTP date. Send X-Amz-Date, such as 20270312T180000Z.');
  }
  return basicText(timeMs);
}

/** Throws 403 for a malformed time, a time too far from now, or an expired presigned URL. */
export function checkTime(time: string, expiresSeconds: number | undefined, nowMs: number): void {
  const timeMs = Date.parse(time.replace(basicForm, '$1-$2-$3T$4:$5:$6Z'));
  if (!basicForm.test(time) || Number.isNaN(timeMs) || basicText(timeMs) !== time) {
    reject('X-Amz-Date', 'It must be a time in UTC such as 20270312T180000Z.');
  }
  const behindSeconds = Math.floor((nowMs - timeMs) / 1000);
  const clock = `the server's clock, ${basicText(nowMs)}`;
  if (-behindSeconds > toleranceSeconds) {
    reject('X-Amz-Date', `It is ${-behindSeconds} s ahead of ${clock}; at most 900 s are allowed.`);
  }
  if (expiresSeconds === undefined && behindSeconds > toleranceSeconds) {
    reject('X-Amz-Date', `It is ${behindSeconds} s behind ${clock}; at most 900 s are allowed.`);
  }
  if (expiresSeconds !== undefined && behindSeconds >= expiresSeconds) {
    const ago = behindSeconds - expiresSeconds;
    reject('X-Amz-Expires', `The URL expired ${ago} s ago, by ${clock}.`);
  }
}

function basicText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
