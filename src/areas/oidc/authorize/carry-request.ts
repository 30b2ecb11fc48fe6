/** The request as the pages of a login carry it on, with what stood beside a pushed or signed one. */

import { isFault } from '../../../http/credentials/fault.js';
import { type Form, parseForm } from '../../../http/credentials/oauth-form.js';
import type { Conduct } from '../misbehaviour/conduct.js';
import { UntrustedRequest } from './authorization-request.js';

interface Carried {
  readonly form: Form;
  /** The address that it was pushed under. */
  readonly pushedAs: string | undefined;
  readonly asked: Conduct | undefined;
}

/** As text. A run needs no parameter: it is in the address of the page. */
export function carriedText({ form, pushedAs, asked }: Carried): string {
  const text = new Map(form);
  if (pushedAs !== undefined) text.set('request_uri', pushedAs);
  if (asked !== undefined && asked.run === undefined) text.set('misbehave', asked.misbehaviour);
  return new URLSearchParams([...text]).toString();
}

/** The authorization request that a form of ours brought along. */
export function carriedForm(sent: Form): Form {
  const form = parseForm(sent.get('request') ?? '');
  if (isFault(form)) throw new UntrustedRequest(form.fault);
  return form;
}
