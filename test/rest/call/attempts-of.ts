import {
  type CallOptions,
  type HttpHeaders,
  noRetry,
  type Operation,
  ServiceError,
  type TableServiceSettings,
  TransportError,
} from '@rowkey/rest'
import { type Attempt, Attempts } from '../../../packages/rest/src/call/attempts.ts'
import { callOf } from '../../../packages/rest/src/call/call.ts'
import { contoso, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

const mute = new TransportError({ message: 'mute', mayHaveApplied: false })

/** Attempts of a call to a service that never responds and never retries, unless its options say otherwise. */
export function attemptsOf<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  settings: TableServiceSettings = {},
  options: CallOptions = {},
): Attempts<Input, Output> {
  const defaults = { retry: noRetry, retryBudget: false, applicationId: false } as const
  const service = serviceOver(scriptedTransport(mute), { ...defaults, ...settings })
  return new Attempts(callOf(service, options, operation.name), operation, input)
}

const attempt: Attempt = {
  number: 1,
  endpoint: contoso,
  location: 'primary',
  input: undefined,
  request: write,
  startedAt: START,
  date: START,
  limits: {},
  strict: false,
  now: () => START,
  sent: write,
  response: undefined,
  error: undefined,
}

/** A write that the service rejected with a status. */
export function failed(status: number, headers: HttpHeaders = {}): Attempt {
  const response = { status, headers, body: '' }
  const error = new ServiceError({
    message: 'No.',
    status,
    code: `Http${status}`,
    requestId: undefined,
    operation: 'insertEntity',
    mayHaveApplied: false,
  })
  return { ...attempt, response, error }
}

/** A write whose response was lost. */
export const lost: Attempt = {
  ...attempt,
  error: new TransportError({ message: 'lost', mayHaveApplied: true }),
}
