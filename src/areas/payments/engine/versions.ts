/** The versions of the API, by date. */

import { invalidRequest } from '../wire/errors.js';
import { apiVersion } from './ledger.js';

/** Stripe's versions have a date, and since 2024 the name of a release. */
const versionForm =
  /^20(?:1[1-9]|2\d)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:\.[a-z]{3,20})?$/;

/** Known older versions get responses in the form of the pinned one. */
export function checkVersion(sent: string | undefined): void {
  if (sent === undefined || sent === apiVersion) return;
  if (versionForm.test(sent) && sent.slice(0, 10) <= apiVersion.slice(0, 10)) return;
  throw invalidRequest(
    `Invalid Stripe API version: ${sent.slice(0, 40)}. This service has ${apiVersion}, and accepts older versions.`,
  );
}
