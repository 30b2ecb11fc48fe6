/** Misbehaviours that fail requests, or begin with an unknown revision. */

import { HttpError } from '#http/http-error.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import { statelessRevision } from '../../messages/revision.js';
import { codes, RpcError } from '../../messages/rpc-error.js';
import { sections } from '../../messages/sections.js';
import { byEarlyRequest, byFurtherRequest, byThirdRequest } from '../acceptance.js';
import type { Case } from '../case.js';
import { failing, inResult } from '../effects.js';

const unknownRevision = '2099-01-01';
const oldRevision = '2024-10-07';
const maxRetrySeconds = 2;

const calls = ['tools/call'];
const ofVersion = {
  acceptedBy: byFurtherRequest,
  section: sections.anyVersionNegotiation,
} as const;
const ofInitialize = { ...ofVersion, methods: ['initialize'] } as const;

const unsupported = (
  code: number,
  data?: { readonly supported: readonly string[]; readonly requested: unknown },
) => new RpcError(code, 'Unsupported protocol version', data, 400);

export const failureCases = casesOf<Case>()({
  'too-many-requests': {
    methods: calls,
    what: 'The first call gets 429 with Retry-After, the next one succeeds.',
    rightClient: 'Waits, then sends the request again.',
    section: cite('RFC 6585', '4'),
    acceptedBy: byEarlyRequest,
    async fail(_met, note) {
      const seconds = 1 + Math.floor(Math.random() * maxRetrySeconds);
      const step = await note((each, nowMs) =>
        (each.count ?? 0) % 2 === 1
          ? { ...each, respondedAtMs: nowMs, notBeforeMs: nowMs + 1000 * seconds }
          : each,
      );
      if ((step?.count ?? 0) % 2 === 0) return undefined;
      return new HttpError(429, `Too many requests. Wait ${seconds} s.`, {
        headers: { 'retry-after': String(seconds) },
      });
    },
  },
  'header-mismatch': {
    methods: calls,
    only: 'stateless',
    what: 'Each call gets the error -32020.',
    rightClient: 'Sends the request once more, then reports the error.',
    section: sections.serverValidation,
    acceptedBy: byThirdRequest,
    fail: failing(() => {
      const message = 'Header mismatch: Mcp-Name is another name.';
      return new RpcError(codes.headerMismatch, message, undefined, 400);
    }),
  },
  'version-error-2026-07-28': {
    ...ofVersion,
    methods: ['server/discover', 'tools/list', 'tools/call', 'initialize'],
    what: 'Each request gets the error -32022, which lists only the unknown revision 2099-01-01.',
    rightClient: 'Reports that there is no common revision.',
    fail: failing(({ isStateless, params }) => {
      const requested = isStateless ? statelessRevision : params.protocolVersion;
      return unsupported(codes.unsupportedVersion, { supported: [unknownRevision], requested });
    }),
  },
  'version-unknown': {
    ...ofInitialize,
    what: 'The result of initialize has the unknown revision 2099-01-01.',
    rightClient: 'Ends the session.',
    response: inResult((result) => ({ ...result, protocolVersion: unknownRevision })),
  },
  'version-error-2025-11-25': {
    ...ofInitialize,
    what: 'initialize gets the error -32602, which lists only the revision 2024-10-07.',
    rightClient: 'Reports that there is no common revision.',
    fail: failing(({ params: { protocolVersion: requested } }) =>
      unsupported(codes.invalidParams, { supported: [oldRevision], requested }),
    ),
  },
  'version-error-2025-06-18': {
    methods: calls,
    only: 'sessions',
    what: 'A call gets 400, because MCP-Protocol-Version is unsupported.',
    rightClient: 'Reports the error.',
    section: sections.sessionVersionHeader,
    acceptedBy: byThirdRequest,
    fail: failing(() => {
      const message = 'Unsupported MCP-Protocol-Version.';
      return new RpcError(codes.invalidRequest, message, undefined, 400);
    }),
  },
  'version-error-2025-03-26': {
    ...ofInitialize,
    what: 'The result of initialize has the old revision 2024-10-07.',
    rightClient: 'Ends the session.',
    response: inResult((result) => ({ ...result, protocolVersion: oldRevision })),
  },
  'version-error-2024-11-05': {
    ...ofInitialize,
    what: 'initialize gets the error -32602 with the text "Unsupported protocol version", without data.',
    rightClient: 'Reports the error.',
    fail: failing(() => unsupported(codes.invalidParams)),
  },
});
