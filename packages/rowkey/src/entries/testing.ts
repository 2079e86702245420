/** Transports that record, replay, delay and fail: `import { failingTransport } from 'rowkey/testing'`. */
export type { HttpRequest, HttpResponse, Transport } from '@rowkey/rest'
export {
  type DelayingTransportOptions,
  delayingTransport,
  type FailureRule,
  failingTransport,
  type RecordedExchange,
  type RecordedFailure,
  recordingTransport,
  replayingTransport,
  type TransportFailure,
} from '@rowkey/rest/testing'
