/** Wrong requests for embeddings. */

import type { Rejected } from './rejected.js';

export const wrongEmbeddings: readonly Rejected[] = [
  {
    title: 'no input of an embedding',
    change: { input: undefined },
    param: 'input',
    code: 'missing_required_parameter',
    message: "Parameter 'input' is required.",
  },
  {
    title: 'an empty text',
    change: { input: '' },
    param: 'input',
    code: 'empty_string',
    message: "Invalid 'input': it must not be empty.",
  },
  {
    title: 'an empty list',
    change: { input: [] },
    param: 'input',
    code: 'empty_array',
    message: "Invalid 'input': it needs at least one item.",
  },
  {
    title: 'an empty text in a list',
    change: { input: ['a', ' '] },
    param: 'input[1]',
    code: 'empty_string',
    message: "Invalid 'input[1]': it must not be empty.",
  },
  {
    title: '2049 texts',
    change: { input: Array.from({ length: 2049 }, () => 'a') },
    param: 'input',
    code: 'array_above_max_length',
    message: "Invalid 'input': use at most 2048 items.",
  },
  {
    title: 'a number in a list of texts',
    change: { input: ['a', 5] },
    param: 'input[1]',
    code: 'invalid_type',
    message:
      "Invalid type for 'input[1]': use a string or an array of integers instead of an integer.",
  },
  {
    title: 'a negative token',
    change: { input: [1, -1] },
    param: 'input[1]',
    code: 'integer_below_min_value',
    message: "Invalid 'input[1]': it must be at least 0.",
  },
  {
    title: 'a text of 8193 tokens',
    change: { input: 'word '.repeat(8193) },
    param: 'input',
    code: 'context_length_exceeded',
    message: "Invalid 'input': use at most 8192 tokens; it has 8194.",
  },
  {
    title: '304,000 tokens',
    change: { input: Array.from({ length: 38 }, () => 'a '.repeat(8000)) },
    param: 'input',
    code: 'max_tokens_per_request',
    message: "Invalid 'input': use at most 300000 tokens; it has 304038.",
  },
  {
    title: 'too many numbers',
    change: { input: Array.from({ length: 43 }, () => 'a'), dimensions: 1536 },
    param: 'input',
    code: 'array_above_max_length',
    message: 'Use at most 65536 numbers (inputs × dimensions); you requested 66048.',
  },
  {
    title: '1537 dimensions',
    change: { dimensions: 1537 },
    param: 'dimensions',
    code: 'integer_above_max_value',
    message: "Invalid 'dimensions': it must be at most 1536.",
  },
  {
    title: 'an unknown encoding',
    change: { encoding_format: 'int8' },
    param: 'encoding_format',
    code: 'invalid_value',
    message: "Invalid value 'int8' for 'encoding_format': use 'float', 'base64'.",
  },
  {
    title: 'a chat model for embeddings',
    change: { model: 'practice-1' },
    status: 404,
    param: 'model',
    code: 'model_not_found',
    message: "'practice-1' embeds no texts; use practice-embed.",
  },
  {
    title: 'an unknown model for embeddings',
    change: { model: 'text-embedding-3-small' },
    status: 404,
    param: 'model',
    code: 'model_not_found',
    message: "Unknown model 'text-embedding-3-small'; use practice-embed. GET /models lists all.",
  },
];
