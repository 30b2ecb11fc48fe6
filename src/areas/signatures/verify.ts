/** The endpoint that verifies the signatures of complete messages. */

import { Type } from 'typebox';
import { mediaType, readBody, typeNotAccepted } from '#http/body/request-body.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { verdictSchema } from '#kit/verdict/verdict.js';
import { type Judgement, judgeSignature, signatureVerdict } from './judge-signature.js';
import type { SignedMessage } from './messages/message.js';
import { unlessFaulty } from './messages/message-fault.js';
import { parseMessage } from './messages/parse-message.js';
import { parseSignatures } from './parse-signatures.js';
import { path } from './path.js';
import { baseSchema, differenceSchema, maxBytes } from './schemas.js';
import { inputDifference } from './signature-base.js';

const text = Type.String();
const orNull = (description: string) => Type.Union([text, Type.Null()], { description });

export const verify = endpoint('POST', `${path}/verify`, {
  onlyReads: true,
  summary: 'Verify a message, and find where its signature differs',
  description:
    'Send a request or a response as text, signed with the keys of RFC 9421 appendix B.1. Old signatures are accepted.',
  query: openExceptTypos({
    scheme: Type.Union([Type.Literal('https'), Type.Literal('http')], {
      default: 'https',
      description: 'The scheme of the request.',
    }),
  }),
  bodies: { 'message/http': text },
  responses: {
    200: Type.Object({
      verified: Type.Boolean(),
      label: orNull(
        'The label of the signature described here: the first wrong one, otherwise the first.',
      ),
      keyid: orNull('The key that it names.'),
      algorithm: orNull('The algorithm of that key.'),
      signatureBase: baseSchema,
      differs: differenceSchema,
      verdict: verdictSchema,
    }),
    ...failures(413, 415),
  },
  async handle(request) {
    const { 'content-type': contentType } = request.headers;
    if (mediaType(contentType) !== 'message/http') {
      throw typeNotAccepted(contentType, 'Content-Type: message/http');
    }
    const { bytes } = await readBody(request, maxBytes, maxBytes);
    const message = parseMessage(bytes, request.query.scheme);
    const judged = unlessFaulty(
      () => judgeAll(message) ?? { ...nothing, differs: null },
      (fault) => ({ ...nothing, differs: inputDifference(fault) }),
    );
    return { ...judged, verdict: signatureVerdict(request.id, judged) };
  },
});

const nothing = { verified: false, label: null, keyid: null, algorithm: null, signatureBase: [] };

/** Verifies signatures until one is wrong, and returns that one. If all are valid, returns the first. */
function judgeAll(message: SignedMessage): Judgement | undefined {
  let first: Judgement | undefined;
  for (const signature of parseSignatures(message)) {
    const judged = judgeSignature(message, signature, true);
    if (!judged.verified) return judged;
    first ??= judged;
  }
  return first;
}
