/** Reads the name and the place of a broken stream. */

import { mistake } from '../messages/mistake.js';
import { brokenStream, isStreamName, type Misbehaviour } from './cases.js';

/** Throws 400 for an unknown name or place. Without a place, it is the first place of the stream. */
export function readMisbehaviour(name: unknown, at: unknown): Misbehaviour {
  if (!isStreamName(name)) {
    throw mistake(400, 'Unknown broken stream. GET /llm/test-plan lists them.', {
      param: 'misbehave',
    });
  }
  const allowed = brokenStream(name).at;
  const place = at === undefined ? allowed[0] : allowed.find((each) => each === at);
  if (place === undefined) {
    throw mistake(400, `Use ${allowed.join(', ')} with ${name}.`, { param: 'at' });
  }
  return { name, at: place };
}
