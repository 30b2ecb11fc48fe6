/**
 * The types of the pinned SDKs, as the source of a module. Some differ from what is sent: the SDK
 * itself adds `output_text`; its types lack embeddings in base64, the events `ping` and `error`, and
 * two documented errors of Anthropic. In its older version, texts have no member `citations`, because
 * older clients reject null there.
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
`;
