/** The endpoints, which the first request to one of them loads. */

export { describeJudges } from './page-endpoint.js';
export { clearVerdicts, readVerdicts } from './verdict-endpoints.js';
