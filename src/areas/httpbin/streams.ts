/** Responses that come in lines, or late. */

import { turns } from '../../base/work-in-turns.js';
import { streamOf } from '../../http/sending/stream-of.js';
import { describeHead, echoAll, ofGet } from './echo.js';
import type { Handler } from './lab.js';
import { writeJsonLine } from './write-json.js';

const maxLines = 100;

export const streamLines: Handler = (request, reply, lab) => {
  const { n } = request.params as { readonly n: number };
  const { args, headers, origin, url } = describeHead(request, lab, ofGet);
  reply.header('content-type', 'application/json');
  return streamOf(request, async function* () {
    for (let id = 0; id < Math.min(n, maxLines); id++) {
      yield writeJsonLine({ url, args, headers, origin, id });
      await turns.next();
    }
  });
};

const maxDelaySeconds = 10;
const tellDelayed = echoAll(ofGet, ['data', 'files', 'form']);

/** Waits as long as the path says, at most ten seconds, or until the service stops or the client leaves. */
export const giveLater: Handler = async (request, reply, lab) => {
  const { seconds } = request.params as { readonly seconds: number };
  const { held } = lab.services;
  if (seconds > 0) await held.hold(request, reply, Math.min(seconds, maxDelaySeconds) * 1000).ended;
  return tellDelayed(request, reply, lab);
};
