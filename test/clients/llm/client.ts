/** Abilities that the tests check of every client. */

export interface LlmClient {
  readonly text: (prompt: string) => Promise<string>;
  readonly streamText: (prompt: string) => Promise<string>;
  /** Runs the tool as often as the model calls it, and returns the last text. */
  readonly useTool: (prompt: string, tool: WeatherTool) => Promise<string>;
  /** Requests a value of {@link tripSchema}. */
  readonly value: (prompt: string) => Promise<unknown>;
  /** Streams until the first piece of text, and aborts. */
  readonly abort: (prompt: string) => Promise<void>;
}

/** Returns the weather of a city. */
export type WeatherTool = (city: string) => string;

/** Makes a client of the endpoints below a URL. */
export type MakeClient = (below: string) => LlmClient;

export const weatherTool = {
  name: 'get_weather',
  description: 'Returns the weather of a city.',
} as const;

export const model = 'practice-1';
export const openaiKey = 'sk-practice-openai';
export const anthropicKey = 'sk-practice-anthropic';
export const geminiKey = 'sk-practice-gemini';

/** Reads a stream to its end. */
export async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Reads a stream until the first text, and aborts; ignores the error of the abort. */
export async function abortAtText(
  pieces: AsyncIterable<string>,
  controller: AbortController,
): Promise<void> {
  try {
    for await (const piece of pieces) if (piece !== '') controller.abort();
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  }
}
