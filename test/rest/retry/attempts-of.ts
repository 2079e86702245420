import {
  type HttpHeaders,
  type HttpRequest,
  noRetry,
  type Operation,
  ServiceError,
  SharedKeyCredential,
  type Transport,
  TransportError,
} from '@rowkey/rest'
import type { AttemptSettings } from '../../../packages/rest/src/retry/attempt-settings.ts'
import type { AttemptedCall } from '../../../packages/rest/src/retry/attempted-call.ts'
import type { AttemptOutcome } from '../../../packages/rest/src/retry/begun-attempt.ts'
import { ClockSkew } from '../../../packages/rest/src/retry/clock-skew.ts'
import { OwnTables } from '../../../packages/rest/src/retry/own-tables.ts'
import { contoso, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START } from '../service-over.ts'

/** The settings of a service whose clock is given, that never tries again. */
export function settingsAt(now: () => number): AttemptSettings {
  return {
    endpoint: contoso,
    retry: noRetry,
    retryBudget: undefined,
    timeout: 30_000,
    deadline: undefined,
    locationMode: 'primaryOnly',
    context: undefined,
    onAttempt: undefined,
    onEvent: undefined,
    now,
    random: () => 0.5,
    sleep: async () => {},
    skew: new ClockSkew(),
    ownTables: new OwnTables(),
  }
}

/** A call that a transport answers, by default with nothing, and that can ask nobody. */
export function callOf<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  request: HttpRequest,
  transport: Transport = scriptedTransport({}),
): AttemptedCall<Input, Output> {
  return {
    operation,
    input,
    request,
    options: {},
    credential: new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' }),
    attempt: async (steps) => {
      const response = await transport(await steps.sign(), steps.limits)
      return operation.fromResponse(await steps.accept(response), input)
    },
    ask: () => () => Promise.reject(new TransportError({ message: 'mute', mayHaveApplied: false })),
  }
}

/** An attempt that was refused with a status. */
export function failed(status: number, headers: HttpHeaders = {}): AttemptOutcome<never> {
  const response = { status, headers, body: '' }
  const error = new ServiceError({
    message: 'No.',
    status,
    code: `Http${status}`,
    requestId: undefined,
    operation: 'insertEntity',
    mayHaveApplied: false,
  })
  return { response, error, output: undefined, sent: write, signedAt: START }
}

/** An attempt of a write whose answer was lost. */
export const lost: AttemptOutcome<never> = {
  response: undefined,
  error: new TransportError({ message: 'lost', mayHaveApplied: true }),
  output: undefined,
  sent: write,
  signedAt: START,
}
