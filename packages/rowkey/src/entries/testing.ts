/** Transports that record, replay, delay and fail: `import { failingTransport } from 'rowkey/testing'`. */
export {
  type DelayingTransportOptions,
  delayingTransport,
  type FailureRule,
  failingTransport,
  type HttpRequest,
  type HttpResponse,
  type RecordedExchange,
  recordingTransport,
  replayingTransport,
  type Transport,
} from '@rowkey/rest'
