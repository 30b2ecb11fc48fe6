/** Wrong models and messages of chat completions. */

import { hello, type Rejected, user } from './rejected.js';

const part = (content: object) => ({ messages: [user([content])] });

export const wrongMessages: readonly Rejected[] = [
  {
    title: 'an unknown field',
    change: { temprature: 1 },
    param: 'temprature',
    code: 'unknown_parameter',
    message: "Unknown parameter: 'temprature'. Did you mean temperature?",
  },
  {
    title: 'a field named like a prototype',
    change: { constructor: 1 },
    param: 'constructor',
    code: 'unknown_parameter',
    message: "Unknown parameter: 'constructor'.",
  },
  {
    title: 'no model',
    change: { model: undefined },
    param: 'model',
    code: 'missing_required_parameter',
    message: "Parameter 'model' is required.",
  },
  {
    title: 'a model of a wrong type',
    change: { model: 1 },
    param: 'model',
    code: 'invalid_type',
    message: "Invalid type for 'model': use a string instead of an integer.",
  },
  {
    title: 'an unknown model',
    change: { model: 'gpt-unknown' },
    status: 404,
    param: 'model',
    code: 'model_not_found',
    message: "Unknown model 'gpt-unknown'; use practice-1. GET /models lists all.",
  },
  {
    title: 'the embedding model',
    change: { model: 'practice-embed' },
    status: 404,
    param: 'model',
    code: 'model_not_found',
    message: "'practice-embed' writes no text; use practice-1.",
  },
  {
    title: 'no messages',
    change: { messages: undefined },
    param: 'messages',
    code: 'missing_required_parameter',
    message: "Parameter 'messages' is required.",
  },
  {
    title: 'messages of a wrong type',
    change: { messages: 'Hello' },
    param: 'messages',
    code: 'invalid_type',
    message: "Invalid type for 'messages': use an array instead of a string.",
  },
  {
    title: 'an empty list of messages',
    change: { messages: [] },
    param: 'messages',
    code: 'empty_array',
    message: "Invalid 'messages': it needs at least one item.",
  },
  {
    title: 'a message of a wrong type',
    change: { messages: ['Hello'] },
    param: 'messages[0]',
    code: 'invalid_type',
    message: "Invalid type for 'messages[0]': use an object instead of a string.",
  },
  {
    title: 'an unknown role',
    change: { messages: [{ role: 'robot', content: 'x' }] },
    param: 'messages[0].role',
    code: 'invalid_value',
    message:
      "Invalid value 'robot' for 'messages[0].role': use 'developer', 'system', 'user', 'assistant', 'tool'.",
  },
  {
    title: 'the deprecated role function',
    change: { messages: [{ role: 'function', name: 'f', content: 'x' }] },
    param: 'messages[0].role',
    code: 'invalid_value',
    message:
      "Invalid value 'function' for 'messages[0].role': use 'developer', 'system', 'user', 'assistant', 'tool'.",
  },
  {
    title: 'a message without content',
    change: { messages: [{ role: 'user' }] },
    param: 'messages[0].content',
    code: 'missing_required_parameter',
    message: "Parameter 'messages[0].content' is required.",
  },
  {
    title: 'content of a wrong type',
    change: { messages: [user(5)] },
    param: 'messages[0].content',
    code: 'invalid_type',
    message:
      "Invalid type for 'messages[0].content': use a string or an array instead of an integer.",
  },
  {
    title: 'content null of a user',
    change: { messages: [user(null)] },
    param: 'messages[0].content',
    code: 'invalid_type',
    message: "Invalid type for 'messages[0].content': use a string or an array instead of null.",
  },
  {
    title: 'an empty list of parts',
    change: { messages: [user([])] },
    param: 'messages[0].content',
    code: 'empty_array',
    message: "Invalid 'messages[0].content': it needs at least one item.",
  },
  {
    title: 'an unknown member of a message',
    change: { messages: [{ ...hello, id: 'x' }] },
    param: 'messages[0].id',
    code: 'unknown_parameter',
    message: "Unknown parameter: 'messages[0].id'.",
  },
  {
    title: 'a name with a space',
    change: { messages: [{ ...hello, name: 'a b' }] },
    param: 'messages[0].name',
    code: 'invalid_value',
    message: "Invalid 'messages[0].name': it must match ^[^\\s<|\\\\/>]+$.",
  },
  {
    title: 'an unknown kind of part',
    change: part({ type: 'video' }),
    param: 'messages[0].content[0].type',
    code: 'invalid_value',
    message: "Invalid value 'video' for 'messages[0].content[0].type': use 'text', 'image_url'.",
  },
  {
    title: 'an audio part',
    change: part({ type: 'input_audio', input_audio: { data: '', format: 'wav' } }),
    param: 'messages[0].content[0].type',
    code: 'invalid_value',
    message:
      "Invalid value 'input_audio' for 'messages[0].content[0].type': use 'text', 'image_url'.",
  },
  {
    title: 'an image part in an instruction',
    change: {
      messages: [
        {
          role: 'system',
          content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
        },
      ],
    },
    param: 'messages[0].content[0].type',
    code: 'invalid_value',
    message: "Invalid value 'image_url' for 'messages[0].content[0].type': use 'text'.",
  },
  {
    title: 'an image without a URL',
    change: part({ type: 'image_url', image_url: {} }),
    param: 'messages[0].content[0].image_url.url',
    code: 'missing_required_parameter',
    message: "Parameter 'messages[0].content[0].image_url.url' is required.",
  },
  {
    title: 'an image by a path',
    change: part({ type: 'image_url', image_url: { url: '/a.png' } }),
    param: 'messages[0].content[0].image_url.url',
    code: 'invalid_image_url',
    message:
      "Invalid 'messages[0].content[0].image_url.url': use an http(s) URL or a base64 data URL.",
  },
  {
    title: 'a text part without text',
    change: part({ type: 'text' }),
    param: 'messages[0].content[0].text',
    code: 'missing_required_parameter',
    message: "Parameter 'messages[0].content[0].text' is required.",
  },
];
