/** The tool and the keys of all users. */

/**
 * @typedef {object} Question
 * @property {string} prompt
 * @property {boolean} hasTool
 * @property {string} result what the tool returns
 * @property {string} openai base URL
 * @property {string} anthropic base URL
 * @property {string} gemini base URL
 * @property {string} ollama base URL
 *
 * @typedef {(name: string) => Promise<any>} Load loads a package
 * @typedef {(question: Question) => Promise<() => Promise<unknown>>} Begin
 *   streams a response, and returns the function that sends the next request
 */

export const keys = {
  openai: 'sk-practice-openai',
  anthropic: 'sk-practice-anthropic',
  gemini: 'sk-practice-gemini',
};

/** Time that a user waits for a response, where the SDK has such an option. */
export const timeout = 2000;

export const tool = {
  name: 'get_weather',
  description: 'Returns the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

/**
 * Runs the tool.
 *
 * @param {any} input
 * @param {string} result
 */
export const weatherOf = (input, result) => `${input.city}: ${result}`;
