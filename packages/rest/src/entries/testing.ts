/** Transports that record, replay, delay and fail: `import { failingTransport } from '@rowkey/rest/testing'`. */
export {
  type DelayingTransportOptions,
  delayingTransport,
} from '../testing/delaying-transport.ts'
export {
  type FailureRule,
  failingTransport,
  type TransportFailure,
} from '../testing/failing-transport.ts'
export {
  type RecordedExchange,
  type RecordedFailure,
  recordingTransport,
} from '../testing/recording-transport.ts'
export { replayingTransport } from '../testing/replaying-transport.ts'
