/**
 * The types of the pinned SDKs, as the source of a module. Some differ from what is sent: the SDK
 * itself adds `output_text`; its types lack embeddings in base64, the events `ping` and `error`, and
 * two documented errors of Anthropic. In its older version, texts have no member `citations`, because
 * older clients reject null there. The SDK of Google adds getters, and renames members of models and
 * embeddings; the types of ollama lack ids of calls, and have the members of a last line in each.
 */
export const sdkTypes = `
import type { ErrorResponse, InvalidRequestErrorObject } from '@anthropic-ai/sdk/resources/shared';
import type {
  ContentBlock, Message, MessageTokensCount, RawMessageStreamEvent as MessageEvent, TextBlock,
  ThreadUnsupportedRequestErrorDetails,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import type { PageResponse as AnthropicPage } from '@anthropic-ai/sdk/core/pagination';
import type { ChatCompletion, ChatCompletionChunk as ChatChunk } from 'openai/resources/chat/completions';
import type { CreateEmbeddingResponse, Embedding } from 'openai/resources/embeddings';
import type { Model as OpenAIModel, ModelDeleted } from 'openai/resources/models';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { ResponseItemList } from 'openai/resources/responses/input-items';
import type { ErrorObject } from 'openai/resources/shared';
import type {
  ContentEmbedding, CountTokensResponse, GenerateContentResponse, ModalityTokenCount, Model,
} from '@google/genai';
import type {
  ChatResponse, EmbedResponse, ErrorResponse as ErrorResponseOfOllama, GenerateResponse, Logprob,
  Message as OllamaMessage, ModelResponse, ShowResponse, ToolCall, VersionResponse,
} from 'ollama';
import type { PageResponse as OpenAIPage } from 'openai/core/pagination';

type SentResponse = Omit<Response, 'output_text'>;
type Sent<Event> = Event extends { response: Response }
  ? Omit<Event, 'response'> & { response: SentResponse }
  : Event;
type SentEvent = Sent<ResponseStreamEvent>;
type EmbeddingsInBase64 = Omit<CreateEmbeddingResponse, 'data'> & {
  data: (Omit<Embedding, 'embedding'> & { embedding: string })[];
};
type DocumentedError = Omit<ErrorResponse, 'error'> & {
  error: { type: 'conflict_error' | 'request_too_large'; message: string };
};
type ThreadError = Omit<ErrorResponse, 'error'> & {
  error: InvalidRequestErrorObject & { details: ThreadUnsupportedRequestErrorDetails };
};
type Older<Block> = Block extends TextBlock ? Omit<Block, 'citations'> : Block;
type OlderMessage = Omit<Message, 'content'> & { content: Older<ContentBlock>[] };
type OlderOf<Event> = Event extends { content_block: infer Block }
  ? Omit<Event, 'content_block'> & { content_block: Older<Block> }
  : Event;
type OlderMessageEvent = OlderOf<MessageEvent>;
type OpenAIError = { error: ErrorObject };

/** Values as JSON: enumerations and dates are texts. */
type Wire<Value> = Value extends Date
  ? string
  : Value extends string
    ? \`\${Value}\`
    : Value extends readonly (infer Item)[]
      ? Wire<Item>[]
      : Value extends object
        ? { [Name in keyof Value]: Wire<Value[Name]> }
        : Value;
type Getters = 'text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult';
type GeminiResponse = Omit<Wire<GenerateContentResponse>, Getters | 'initialPromptTokenCount'>;
type GeminiTokens = Wire<CountTokensResponse> & { promptTokensDetails: Wire<ModalityTokenCount>[] };
type GeminiEmbedding = { embedding: ContentEmbedding };
type GeminiEmbeddings = { embeddings: ContentEmbedding[] };
type GeminiModel = Omit<Model, 'supportedActions'> & { supportedGenerationMethods: string[] };
type GeminiModels = { models: GeminiModel[]; nextPageToken?: string };
type GeminiError = { error: { code: number; message: string; status: string; details?: object[] } };

type WithCallIds = Omit<OllamaMessage, 'tool_calls'> & {
  tool_calls?: { id: string; function: ToolCall['function'] & { index: number } }[];
};
type WithBytes = Omit<Logprob, 'top_logprobs'> & { bytes: number[] };
type LogprobBytes = { logprobs?: (WithBytes & { top_logprobs?: WithBytes[] })[] };
type OllamaChat = Omit<Wire<ChatResponse>, 'message' | 'logprobs'> & LogprobBytes & { message: WithCallIds };
type Line<Whole extends { done: boolean }> = Pick<Whole, 'done'> & Partial<Whole>;
type OllamaText = Omit<Wire<GenerateResponse>, 'logprobs'> & LogprobBytes;
type Listed = Partial<Wire<ModelResponse>> & { capabilities?: string[]; context_length?: number };
type OllamaModels = { models: Listed[] };
type OllamaShown = Partial<Omit<Wire<ShowResponse>, 'model_info'>> & { model_info: object };
type OllamaError = ErrorResponseOfOllama;
`;
