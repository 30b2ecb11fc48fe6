/** Judges a client of draft-ietf-httpbis-resumable-upload by the requests of its uploads. */

import { cite } from '#kit/verdict/citations.js';
import { orderOf } from '#kit/verdict/exchange.js';
import { type JudgedPart, type JudgedRule, type Verdict, verdictOn } from '#kit/verdict/verdict.js';
import { interopVersion, partialUpload } from './draft-headers.js';
import type { UploadRequest } from './upload-requests.js';

/** Text: what would decide, if it cannot be told. Null: the rule is not exercised. */
type Judgement = boolean | string | null;

interface UploadRule extends JudgedRule {
  /** `before` are the earlier requests of the same upload. */
  readonly isKept: (request: UploadRequest, before: readonly UploadRequest[]) => Judgement;
}

const draft = 'draft-ietf-httpbis-resumable-upload';
const isAppend = ({ method }: UploadRequest) => method === 'PATCH';
const hasContent = ({ method }: UploadRequest) => method === 'PATCH' || method === 'POST';
const isAccepted = ({ status, isInterrupted }: UploadRequest) => status < 300 && !isInterrupted;

/** Returns whether a request was certainly sent after a response, or null if they may have crossed. */
function follows(next: UploadRequest, { arrival, respondedAtMs }: UploadRequest): boolean | null {
  const { connection } = arrival;
  const order = orderOf(next.arrival, {
    respondedAtMs,
    ...(connection !== undefined && { connection }),
  });
  return order === 'crossing' ? null : order === 'after';
}

/** A response on the connection of the next request has arrived; another one may have been lost. */
const hasArrived = (response: UploadRequest, next: UploadRequest) =>
  response.arrival.connection !== undefined &&
  response.arrival.connection === next.arrival.connection;

const rules: readonly UploadRule[] = [
  {
    rule: 'interop-version',
    level: 'must',
    section: cite(draft, 'B'),
    hint: `Send Upload-Draft-Interop-Version: ${interopVersion} with each request.`,
    isKept({ version }) {
      if (version === null) return false;
      return version === interopVersion || `A request with the interop version ${interopVersion}.`;
    },
  },
  {
    rule: 'media-type',
    level: 'must',
    section: cite(draft, '4.4'),
    hint: `Append with Content-Type: ${partialUpload}.`,
    isKept: (request) => (isAppend(request) ? request.type === partialUpload : null),
  },
  {
    rule: 'append-offset',
    level: 'must',
    section: cite(draft, '4.4'),
    hint: 'Append with Upload-Offset, an integer of at least 0.',
    isKept: (request) => (isAppend(request) ? request.offset !== undefined : null),
  },
  {
    rule: 'append-complete',
    level: 'must',
    section: cite(draft, '4.4'),
    hint: 'Append with Upload-Complete: ?1 if the content ends the upload, else ?0.',
    isKept: (request) => (isAppend(request) ? request.isComplete !== undefined : null),
  },
  {
    rule: 'consistent-length',
    level: 'must',
    section: cite(draft, '4.1.3'),
    hint: 'Let all lengths of an upload match: Upload-Length, and the offset plus Content-Length of the last request.',
    isKept(request) {
      if (request.fault === 'length') return false;
      const isIndicated = request.hasLength || request.isComplete === true;
      return hasContent(request) && isIndicated && isAccepted(request) ? true : null;
    },
  },
  {
    rule: 'append-limits',
    level: 'must',
    section: cite(draft, '4.1.4'),
    hint: 'Send at most max-append-size bytes in a request, as Upload-Limit says.',
    isKept(request) {
      if (!hasContent(request)) return null;
      if (request.fault !== 'append-size') return isAccepted(request) ? true : null;
      // The URL of an upload comes with its limits.
      return isAppend(request)
        ? false
        : 'A request to the upload, whose response has Upload-Limit.';
    },
  },
  {
    rule: 'known-offset',
    level: 'should',
    section: cite(draft, '4.4'),
    hint: 'Append at the offset of the last response; after an interruption, HEAD returns it.',
    isKept(request, before) {
      if (!isAppend(request) || request.offset === undefined) return null;
      if (request.fault !== 'offset') return request.status < 300 ? true : null;
      const known = before.findLast(({ announcedOffset }) => announcedOffset !== undefined);
      const isRaced = request.isOverlapping || before.some(({ isOverlapping }) => isOverlapping);
      if (!isRaced && known?.announcedOffset !== request.offset) return false;
      return 'An upload without other requests at the same time.';
    },
  },
  {
    rule: 'after-conflict',
    level: 'should',
    section: cite(draft, '4.4'),
    hint: 'After 409, append at the Upload-Offset of the response, and not at the same offset again.',
    isKept(request, before) {
      if (!isAppend(request)) return null;
      const conflict = before.findLast(isAppend);
      if (conflict?.fault !== 'offset' || follows(request, conflict) !== true) return null;
      if (request.fault !== 'offset') return request.status < 300 ? true : null;
      if (request.offset !== conflict.offset) return null;
      return hasArrived(conflict, request) ? false : 'The same again on the connection of the 409.';
    },
  },
  {
    rule: 'one-transfer',
    level: 'must',
    section: cite(draft, '4.6'),
    hint: 'Send one request at a time to an upload.',
    isKept(request) {
      if (request.isOverlapping) return 'Whether the client had given up the earlier request.';
      return isAppend(request) && isAccepted(request) ? true : null;
    },
  },
  {
    rule: 'completed',
    level: 'should',
    section: cite(draft, '4.1.2'),
    hint: 'Send nothing more to an upload after a response with Upload-Complete: ?1.',
    isKept(request, before) {
      const end = before.find((each) => hasContent(each) && each.isCompleted);
      if (end === undefined) return hasContent(request) && request.isCompleted ? true : null;
      if (!isAppend(request)) return null;
      if (hasArrived(end, request) && follows(request, end)) return false;
      return 'The same on the connection of the last response, which may have been lost.';
    },
  },
];

/** The rules without their judges. */
export const uploadRules: readonly JudgedRule[] = rules.map(({ isKept: _isKept, ...rule }) => rule);

/** `requests` are in the order in which they were served. */
export function judgeUploads(requests: readonly UploadRequest[]): Verdict[] {
  const ordered = [...requests].sort((one, other) => one.arrival.timeMs - other.arrival.timeMs);
  const byUpload = new Map<string, UploadRequest[]>();
  const cases = ordered.map((request) => {
    const before = byUpload.get(request.upload ?? '') ?? [];
    if (request.upload !== null) byUpload.set(request.upload, [...before, request]);
    return { request, before: request.upload === null ? [] : before };
  });
  return rules.map(({ isKept, ...rule }) => {
    const parts = cases.map(({ request, before }): JudgedPart => {
      const judged = isKept(request, before);
      const shown = { requests: [request.requestId] };
      return typeof judged === 'string'
        ? { isKept: null, decidedBy: judged, ...shown }
        : { isKept: judged, ...shown };
    });
    return verdictOn('resumable', rule, parts);
  });
}
