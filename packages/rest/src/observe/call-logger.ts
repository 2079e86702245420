import { isRowkeyError } from '@rowkey/odata'
import type { CallEvent, CallListener } from './call-event.ts'
import { errorCodeOf, isExpected } from './open-telemetry-bridge.ts'

/** Receives one line of text for each response, retry and failed call; `console` is one. */
export interface CallLogger {
  /** Receives responses and expected outcomes, such as a 404. */
  debug(line: string): void
  /** Receives retries and failed calls. */
  warn(line: string): void
}

/**
 * Makes a listener that writes what happens to a logger. A line has the URL, which contains the keys of
 * entities, but no signature, token, SAS or account key.
 *
 * @param logger - where to write
 */
export function callLogger(logger: CallLogger): CallListener {
  return (event) => {
    const line = lineOf(event)
    if (line !== undefined) logger[levelOf(event)](`rowkey ${event.operation} ${line}`)
  }
}

function levelOf(event: CallEvent): keyof CallLogger {
  const isFailed = event.type === 'completed' && !isExpected(event.error)
  return event.type === 'retrying' || isFailed ? 'warn' : 'debug'
}

function lineOf(event: CallEvent): string | undefined {
  const { type, method, url, attempt, clientRequestId } = event
  const call = `attempt ${attempt}, id ${clientRequestId}`
  if (type === 'received') {
    const { status, startedAt, endedAt } = event.result
    return `${method} ${url}: ${status} after ${endedAt - startedAt} ms, ${call}`
  }
  if (type === 'retrying') {
    return `${method} ${url}: ${errorCodeOf(event.error)}, retries in ${Math.round(event.delay)} ms, ${call}`
  }
  if (type === 'completed' && event.error !== undefined) {
    return `${method} ${url}: ended with ${failureOf(event.error)}, ${call}`
  }
  return undefined
}

/** The message of a foreign error may contain anything, so only its name is shown. */
function failureOf(error: unknown): string {
  return isRowkeyError(error) ? `${error.code}: ${error.message}` : errorCodeOf(error)
}
