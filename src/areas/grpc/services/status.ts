/** Ends calls with any status and any details. */

import type { Any } from '@bufbuild/protobuf/wkt';
import { anyPack } from '@bufbuild/protobuf/wkt';
import * as details from '../generated/google/rpc/error_details_pb.js';
import { Status, type StatusRequest } from '../generated/practice/v1/status_pb.js';
import { codeNames } from '../messages/codes.js';
import { detailsOf, fieldFault } from '../messages/details.js';
import { RpcError } from '../messages/rpc-error.js';
import { serve } from '../model/method.js';

const maxMessages = 1000;

const schemas = {
  errorInfo: details.ErrorInfoSchema,
  retryInfo: details.RetryInfoSchema,
  debugInfo: details.DebugInfoSchema,
  quotaFailure: details.QuotaFailureSchema,
  preconditionFailure: details.PreconditionFailureSchema,
  badRequest: details.BadRequestSchema,
  requestInfo: details.RequestInfoSchema,
  resourceInfo: details.ResourceInfoSchema,
  help: details.HelpSchema,
  localizedMessage: details.LocalizedMessageSchema,
};

function detailsIn(request: StatusRequest): Any[] {
  const packed = Object.entries(schemas).flatMap(([name, schema]) => {
    const value = request[name as keyof typeof schemas];
    return value === undefined ? [] : [anyPack(schema, value)];
  });
  return [...packed, ...request.details];
}

function endWith(request: StatusRequest): object {
  const { code, message } = request;
  if (code < 0 || code >= codeNames.length) {
    throw fieldFault('code', `code must be from 0 to ${codeNames.length - 1}.`);
  }
  if (code === 0) return {};
  throw new RpcError(code, message, detailsOf(detailsIn(request)));
}

export const status = serve(Status, {
  get: endWith,
  async *stream(request) {
    const { messages } = request;
    if (messages < 0 || messages > maxMessages) {
      throw fieldFault('messages', `messages must be from 0 to ${maxMessages}.`);
    }
    for (let sent = 0; sent < messages; sent++) yield {};
    endWith(request);
  },
});
