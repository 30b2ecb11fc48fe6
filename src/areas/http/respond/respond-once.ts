/** A response to the request that has its script: in its query, or else in its body. */

import { gotParameter } from '../../../base/text/got-value.js';
import { anyMethod } from '../../../http/any-method.js';
import { rejectFaults, rejectField } from '../../../http/body/header-parameters.js';
import type { Request } from '../../../http/exchange.js';
import type { HeldRequests } from '../../../http/held-requests.js';
import { HttpError } from '../../../http/http-error.js';
import { JsonSyntaxError, parseJson } from '../../../http/json/parse-json.js';
import { bodyText, hasBody, readJsonBody } from '../../../http/request-body.js';
import { anyContent } from '../../../kit/describe/any-body.js';
import { optionalText } from '../../../kit/describe/value-schemas.js';
import { endpoint, open } from '../../../kit/endpoint.js';
import { describeFaults } from '../../../kit/input/describe-faults.js';
import { bodyValidator } from '../../../kit/input/validators.js';
import { checkScript, type Script, scriptSchema } from './script.js';
import { ownPathOf, sendScript } from './send-script.js';

export const path = '/api/http/respond';

/** As many as a JSON body may have. */
const maxJsonValues = 1000;

const validate = bodyValidator(scriptSchema);

export const respondOnce = (held: HeldRequests) =>
  endpoint(anyMethod, path, {
    summary: 'Respond as the request says',
    description:
      'The script is the JSON body, or stands in the query for methods without one. What is sent cannot act as a page of this service.',
    query: open({
      script: optionalText('The script as JSON, in base64url; the body is yours then.'),
    }),
    bodies: { 'application/json': scriptSchema },
    isBodyOptional: true,
    responses: {
      200: anyContent('What the script says.'),
      default: anyContent('Whatever status the script has; and any failure.'),
    },
    async handle(request, reply) {
      const { script: encoded } = request.query;
      const given = encoded === undefined ? await readBody(request) : parseScript(encoded);
      const faults = validate(given);
      if (faults !== undefined) rejectFaults(describeFaults(faults, 'body'));
      const script = given as Script;
      rejectFaults(checkScript(script, ownPathOf(request)));
      return sendScript(reply, script, held);
    },
  });

function readBody(request: Request): Promise<unknown> {
  if (hasBody(request.raw)) return readJsonBody(request);
  throw new HttpError(
    400,
    'There is no script. Send it as a JSON body, or in the query as ?script=, in base64url.',
  );
}

function parseScript(encoded: string): unknown {
  if (!/^[\w-]+={0,2}$/.test(encoded)) {
    rejectField('script', `script must be base64url${gotParameter('script', encoded)}.`);
  }
  try {
    return parseJson(bodyText(Buffer.from(encoded, 'base64url')), maxJsonValues);
  } catch (error) {
    if (error instanceof JsonSyntaxError) rejectField('script', error.message);
    throw error;
  }
}
