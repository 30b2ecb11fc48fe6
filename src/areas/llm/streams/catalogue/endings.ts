/** Streams that end early, with an error, or never. */

import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import {
  allKinds,
  type Breaking,
  type BrokenStream,
  type Events,
  everywhere,
  inContent,
} from '../broken-stream.js';
import { errorEvents, failedEvent, isTerminator } from '../kind-events.js';

const before = ({ events, index }: Breaking): Events => events.slice(0, index);

export const endings = casesOf<BrokenStream>()({
  'error-event': {
    ...everywhere,
    nature: 'broken',
    what: 'An error event is in the stream, which has status 200.',
    rule: 'stops-at-error',
    change: (breaking) => [...before(breaking), errorEvents[breaking.kind]],
  },
  'failed-open': {
    ...inContent,
    nature: 'broken',
    kinds: ['responses'],
    what: 'The event response.failed is sent, but the connection remains open.',
    change: (breaking) => [...before(breaking), failedEvent(breaking.events[0])],
    end: 'open',
  },
  'no-terminator': {
    nature: 'broken',
    // The reason came before: it shows that the content is whole.
    natureAt: { chat: 'either', messages: 'either' },
    at: ['end'],
    // Gemini has no other terminator than the reason.
    kinds: allKinds.filter((kind) => kind !== 'gemini'),
    what: 'The stream ends without [DONE], message_stop, response.completed or "done": true.',
    change: ({ events }) => events.filter((event) => !isTerminator(event)),
  },
  reset: {
    ...everywhere,
    nature: 'broken',
    what: 'The connection is reset.',
    change: before,
    end: 'reset',
  },
  close: {
    ...everywhere,
    nature: 'broken',
    what: 'The response ends as if it were complete.',
    change: before,
  },
  'silence-with-pings': {
    ...everywhere,
    nature: 'broken',
    what: 'Only a ping is sent every 500 ms.',
    change: before,
    end: 'pings',
  },
  silence: {
    ...everywhere,
    nature: 'broken',
    what: 'Nothing more is sent, and the connection remains open.',
    change: before,
    end: 'open',
  },
});
