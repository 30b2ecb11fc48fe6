/**
 * Checks times of a message by the clock of the sandbox: SOAP Message Security 1.1.1 section 10.
 */

import { readTimestamp } from '#base/text/read-timestamp.js';
import type { XmlElement } from '#http/xml/parse-xml.js';
import { quote } from '#http/xml/text.js';
import { wsu } from '../security-names.js';
import { checkChildren, onlyChild, textOf } from './read-parts.js';
import { securityFault } from './security-fault.js';

/**
 * Lifetime of a UsernameToken with Created: the minimum that its profile recommends for servers.
 */
export const tokenSeconds = 300;

/** How far a client's clock may be ahead of the service's. */
export const aheadSeconds = 60;

export const createdName = { namespace: wsu, name: 'Created' };
const expiresName = { namespace: wsu, name: 'Expires' };

/** Returns Created as sent. Throws a fault. */
export function checkTimestamp(timestamp: XmlElement, nowMs: number): string {
  checkChildren(timestamp, [createdName, expiresName], 'InvalidSecurity');
  const created = onlyChild(timestamp, createdName, 'InvalidSecurity');
  const expires = onlyChild(timestamp, expiresName, 'InvalidSecurity');
  if (timestamp.children[0] !== created) {
    throw securityFault('InvalidSecurity', 'In the Timestamp, Created must come before Expires.');
  }
  const createdMs = readTime(created, 'Created of the Timestamp', 'InvalidSecurity');
  const expiresMs = readTime(expires, 'Expires of the Timestamp', 'InvalidSecurity');
  if (expiresMs <= createdMs) {
    throw securityFault('InvalidSecurity', 'In the Timestamp, Expires must be later than Created.');
  }
  checkAhead(createdMs, nowMs, 'Created of the Timestamp', 'InvalidSecurity');
  if (expiresMs <= nowMs) {
    const message = `The Timestamp expired ${secondsBetween(expiresMs, nowMs)} s ago: ${clock(nowMs)}.`;
    throw securityFault('MessageExpired', message);
  }
  return textOf(created);
}

/** Returns the time of a UsernameToken's Created. Throws a fault. */
export function checkFreshness(created: XmlElement, nowMs: number): number {
  const what = 'Created of the UsernameToken';
  const createdMs = readTime(created, what, 'InvalidSecurityToken');
  checkAhead(createdMs, nowMs, what, 'InvalidSecurityToken');
  if (createdMs < nowMs - tokenSeconds * 1000) {
    const age = `${secondsBetween(createdMs, nowMs)} s old, but only ${tokenSeconds} s are allowed`;
    throw securityFault('MessageExpired', `${what} is ${age}: ${clock(nowMs)}.`);
  }
  return createdMs;
}

/** With nine digits of a second, and an offset. */
const maxTimeLength = 35;

type TimeFault = 'InvalidSecurity' | 'InvalidSecurityToken';

function readTime(element: XmlElement, what: string, code: TimeFault): number {
  const text = textOf(element);
  // A time without an offset is valid in XML Schema, but ambiguous.
  const hasOffset = text.length <= maxTimeLength && /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = hasOffset ? readTimestamp(text) : undefined;
  if (instant !== undefined) return Date.parse(instant);
  const message = `${what} is ${quote(text)}. It must be a time in UTC such as 2027-03-12T18:00:00Z.`;
  throw securityFault(code, message);
}

function checkAhead(timeMs: number, nowMs: number, what: string, code: TimeFault): void {
  if (timeMs <= nowMs + aheadSeconds * 1000) return;
  const ahead = `${secondsBetween(nowMs, timeMs)} s in the future, but only ${aheadSeconds} s are allowed`;
  throw securityFault(code, `${what} is ${ahead}: ${clock(nowMs)}.`);
}

function secondsBetween(fromMs: number, toMs: number): number {
  return Math.round((toMs - fromMs) / 1000);
}

function clock(nowMs: number): string {
  return `the service's clock is at ${new Date(nowMs).toISOString()}`;
}
