/** The request as the pages of a login carry it, with the parameters that stood beside a pushed or signed one. */

import { isFault } from '../../../http/credentials/fault.js';
import { type Form, parseForm } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import type { Misbehaviour } from '../misbehaviour/choose-misbehaviour.js';

interface Carried {
  readonly form: Form;
  /** The URI that it was pushed under. */
  readonly pushedAs: string | undefined;
  readonly requested: Misbehaviour | undefined;
}

/** Writes the request as text. A run needs no parameter: it is in the path of the page. */
export function carriedText({ form, pushedAs, requested }: Carried): string {
  const text = new Map(form);
  if (pushedAs !== undefined) text.set('request_uri', pushedAs);
  if (requested !== undefined && requested.run === undefined) text.set('misbehave', requested.name);
  return new URLSearchParams([...text]).toString();
}

/** Reads the authorization request that a form of ours brought along. */
export function carriedForm(sent: Form): Form {
  const form = parseForm(sent.get('request') ?? '');
  if (isFault(form)) throw new OAuthError('invalid_request', form.fault);
  return form;
}
