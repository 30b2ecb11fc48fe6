/** Tools that the conformance suite of the protocol calls: content, progress and log messages. */

import { isStateless } from '../model/ask.js';
import { reportProgress, wait, writeLog } from '../model/call.js';
import { audio, image, text } from '../model/content.js';
import { argumentsOf, errorResult, readOnly, type Tool, textResult } from './tool.js';

const pauseMs = 50;

const embedded = {
  type: 'resource',
  resource: {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  },
};

const mixed = {
  type: 'resource',
  resource: {
    uri: 'test://mixed-content-resource',
    mimeType: 'application/json',
    text: JSON.stringify({ test: 'data', value: 123 }),
  },
};

const addressSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const fixture = { inputSchema: argumentsOf(), annotations: readOnly } as const;

export const contentFixtures: readonly Tool[] = [
  {
    ...fixture,
    name: 'test_simple_text',
    description: 'Returns one text.',
    run: () => textResult('This is a simple text response for testing.'),
  },
  {
    ...fixture,
    name: 'test_image_content',
    description: 'Returns an image of one pixel.',
    run: () => ({ content: [image] }),
  },
  {
    ...fixture,
    name: 'test_audio_content',
    description: 'Returns a short silence.',
    run: () => ({ content: [audio] }),
  },
  {
    ...fixture,
    name: 'test_embedded_resource',
    description: 'Returns a resource inside the result.',
    run: () => ({ content: [embedded] }),
  },
  {
    ...fixture,
    name: 'test_multiple_content_types',
    description: 'Returns a text, an image and a resource.',
    run: () => ({ content: [text('Multiple content types test:'), image, mixed] }),
  },
  {
    ...fixture,
    name: 'test_tool_with_logging',
    description: 'Sends three log messages while it runs.',
    async run(_args, call) {
      await writeLog(call, 'info', 'Tool execution started');
      await wait(call, pauseMs);
      await writeLog(call, 'info', 'Tool processing data');
      await wait(call, pauseMs);
      await writeLog(call, 'info', 'Tool execution completed');
      return textResult('The tool has sent its log messages.');
    },
  },
  {
    ...fixture,
    name: 'test_logging_tool',
    description: 'Sends a log message, if the client requests log messages.',
    async run(_args, call) {
      await writeLog(call, 'info', 'A log message of this call.');
      return textResult('The tool has run.');
    },
  },
  {
    ...fixture,
    name: 'test_error_handling',
    description: 'Always returns an error result.',
    run: () => errorResult('This tool intentionally returns an error for testing'),
  },
  {
    ...fixture,
    name: 'test_tool_with_progress',
    description: 'Reports its progress as 0, 50 and 100 of 100.',
    async run(_args, call) {
      await reportProgress(call, 0, 100, 'Started');
      await wait(call, pauseMs);
      await reportProgress(call, 50, 100, 'Halfway');
      await wait(call, pauseMs);
      await reportProgress(call, 100, 100, 'Done');
      return textResult('The tool has reported its progress.');
    },
  },
  {
    ...fixture,
    name: 'test_reconnection',
    description: 'Ends its stream, so that the client must resume it to get the result.',
    async run(_args, call) {
      if (!isStateless(call)) await call.channel.disconnect?.();
      await wait(call, 2 * pauseMs);
      return textResult('The result arrived after the stream was resumed.');
    },
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has arguments with many keywords of JSON Schema 2020-12.',
    inputSchema: addressSchema,
    annotations: readOnly,
    run: (args) => textResult(JSON.stringify(args)),
  },
];
