/** The script of a request: in its query, for methods that have no body, or else in its body. */

import { gotParameter } from '../../../base/text/got-value.js';
import { bodyText, hasBody, readJsonBody } from '../../../http/body/request-body.js';
import type { Request } from '../../../http/exchange.js';
import { HttpError, rejectFaults, rejectField } from '../../../http/http-error.js';
import { JsonSyntaxError, parseJson } from '../../../http/json/parse-json.js';
import { describeFaults } from '../../../kit/input/describe-faults.js';
import { bodyValidator } from '../../../kit/input/validators.js';
import { checkScript, type Script, scriptSchema } from './script.js';

const base64url = /^[\w-]+={0,2}$/;
/** As many as a JSON body may have. */
const maxJsonValues = 1000;

const validate = bodyValidator(scriptSchema);

/** Throws 400 for what is no script, 415 for a body of another type. */
export async function readScript(request: Request, ownPath: string): Promise<Script> {
  const { script: inQuery } = request.query as { readonly script?: string };
  const given = inQuery === undefined ? await bodyOf(request) : parseQuery(inQuery);
  const faults = validate(given);
  if (faults !== undefined) rejectFaults(describeFaults(faults, 'body'));
  const script = given as Script;
  rejectFaults(checkScript(script, ownPath));
  return script;
}

async function bodyOf(request: Request): Promise<unknown> {
  if (!hasBody(request.raw)) {
    throw new HttpError(
      400,
      'There is no script. Send it as a JSON body, or in the query as ?script=, in base64url.',
    );
  }
  return readJsonBody(request);
}

function parseQuery(text: string): unknown {
  if (!base64url.test(text)) {
    rejectField('script', `script must be base64url${gotParameter('script', text)}.`);
  }
  try {
    return parseJson(bodyText(Buffer.from(text, 'base64url')), maxJsonValues);
  } catch (error) {
    if (error instanceof JsonSyntaxError) rejectField('script', error.message);
    throw error;
  }
}
