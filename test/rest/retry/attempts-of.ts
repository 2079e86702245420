import {
  type HttpHeaders,
  noRetry,
  type Operation,
  ServiceError,
  SharedKeyCredential,
  TransportError,
} from '@rowkey/rest'
import { ClockSkew } from '../../../packages/rest/src/retry/clock-skew.ts'
import { OwnTables } from '../../../packages/rest/src/retry/own-tables.ts'
import type {
  Attempt,
  AttemptOutcome,
  Call,
  CallDefaults,
} from '../../../packages/rest/src/retry/types.ts'
import { contoso, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START } from '../service-over.ts'

/** The defaults of a service that never retries, and whose clock stands still. */
export const defaults: CallDefaults = {
  retry: noRetry,
  retryBudget: undefined,
  timeout: 30_000,
  deadline: undefined,
  locationMode: 'primaryOnly',
  exactWrites: false,
  context: undefined,
  onAttempt: undefined,
  onEvent: undefined,
  closing: new AbortController().signal,
  now: () => START,
  steadyNow: () => START,
  random: () => 0.5,
  sleep: async () => {},
  newId: () => 'id-1',
  userAgent: undefined,
  skew: new ClockSkew(),
  ownTables: new OwnTables(),
}

/** A call whose reads fail; some defaults of its service may differ. */
export function callOf<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  changed: Partial<CallDefaults> = {},
): Call<Input, Output> {
  return {
    service: {
      endpoint: contoso,
      credential: new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' }),
      transport: scriptedTransport({}),
      defaults: { ...defaults, ...changed },
    },
    operation,
    input,
    options: {},
    perform: () => Promise.reject(new TransportError({ message: 'mute', mayHaveApplied: false })),
  }
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
  closing: new AbortController().signal,
  strict: false,
  now: () => START,
  sent: write,
  response: undefined,
}

/** A write that the service rejected with a status. */
export function failed(status: number, headers: HttpHeaders = {}): AttemptOutcome {
  const response = { status, headers, body: '' }
  const error = new ServiceError({
    message: 'No.',
    status,
    code: `Http${status}`,
    requestId: undefined,
    operation: 'insertEntity',
    mayHaveApplied: false,
  })
  return { attempt, response, error }
}

/** A write whose response was lost. */
export const lost: AttemptOutcome = {
  attempt,
  response: undefined,
  error: new TransportError({ message: 'lost', mayHaveApplied: true }),
}
