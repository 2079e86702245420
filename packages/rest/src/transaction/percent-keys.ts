import { DecodeError } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { Operation } from '../request/operation.ts'
import { authenticationAdvice } from '../response/authentication-advice.ts'
import { readPartErrorBody, rejectsCredential, serviceErrorOf } from '../response/service-error.ts'
import { decodeChangeSet } from './decode-change-set.ts'
import { batchRequest } from './encode-change-set.ts'

/** The status of every response to a batch. */
const BATCH_STATUS = 202
/** The prefix of an error message in a batch. */
const INDEX = /^\d{1,3}:/

/**
 * Sends an operation in a batch of its own when a key in its path contains a percent sign. Some
 * services decode that path twice and read another key; they never do so in a batch. Results and
 * errors are the same as without a batch.
 *
 * @param operation - an operation on one entity
 * @param endpoint - the account
 */
export function inBatchForPercent<Input, Output>(
  operation: Operation<Input, Output>,
  endpoint: Endpoint,
): Operation<Input, Output> {
  return {
    ...operation,
    ...(operation.statuses && { statuses: [...operation.statuses, BATCH_STATUS] }),

    toRequest(input) {
      const request = operation.toRequest(input, endpoint)
      // A table's name contains no percent sign, so a key does.
      return request.path.includes('%25') ? batchRequest([request], endpoint) : request
    },

    fromResponse(response, input, strict) {
      if (!isMultipart(response)) return operation.fromResponse(response, input)
      const part = onlyPart(response)
      const { code, message } = readPartErrorBody(part)
      const isExpected = strict !== true && operation.expects?.includes(code) === true
      if (part.status >= 300 && !isExpected) {
        const request = operation.toRequest(input, endpoint)
        const body = { code, message: message.replace(INDEX, '') }
        const advice = rejectsCredential(part.status) ? adviceOn(code, part, endpoint) : undefined
        throw serviceErrorOf(operation, part, body, { request, endpoint, advice })
      }
      return operation.fromResponse(part, input)
    },
  }
}

/** An operation does not know the clock, so the advice suspects the clock only in general. */
function adviceOn(code: string, part: HttpResponse, endpoint: Endpoint): string {
  return authenticationAdvice(code, { ...part, headers: {} }, { endpoint, now: Date.now })
}

function isMultipart({ headers }: HttpResponse): boolean {
  return headers['content-type']?.startsWith('multipart/') === true
}

function onlyPart(response: HttpResponse): HttpResponse {
  const [part, ...others] = decodeChangeSet(response)
  if (part === undefined || others.length > 0) {
    throw new DecodeError({
      message: `The response to a batch of one request has ${others.length + (part ? 1 : 0)} results. The outcome is unknown: it may have been applied.`,
      mayHaveApplied: true,
    })
  }
  const { 'x-ms-request-id': id, date } = response.headers
  // The service does not repeat the headers of the whole response in its part.
  const whole = { ...(id !== undefined && { 'x-ms-request-id': id }), ...(date && { date }) }
  return { ...part, headers: { ...whole, ...part.headers } }
}
