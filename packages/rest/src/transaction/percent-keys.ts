import type { HttpResponse } from '../http/transport.ts'
import type { Operation } from '../request/operation.ts'
import type { RejectedRequest } from '../response/authentication-advice.ts'
import { readPartErrorBody } from '../response/service-error.ts'
import { decodeChangeSet, strangeBatch } from './decode-change-set.ts'
import { batchRequest } from './encode-change-set.ts'
import { partErrorOf, withHeadersOf } from './part-error.ts'

/** The status of every response to a batch. */
const BATCH_STATUS = 202

/**
 * Sends an operation in a batch of its own when a key in its path contains a percent sign. Some
 * services decode that path twice and read another key; they never do so in a batch. Results and
 * errors are the same as without a batch.
 *
 * @param operation - an operation on one entity
 * @param account - the account
 */
export function inBatchForPercent<Input, Output>(
  operation: Operation<Input, Output>,
  account: RejectedRequest,
): Operation<Input, Output> {
  const { endpoint } = account
  // A batch has no keys in its path.
  if (operation.statuses?.includes(BATCH_STATUS)) return operation
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
      const { code } = readPartErrorBody(part)
      const isExpected = strict !== true && operation.expects?.includes(code) === true
      if (part.status >= 300 && !isExpected) throw partErrorOf(operation, input, part, account)
      return operation.fromResponse(part, input)
    },
  }
}

function isMultipart({ headers }: HttpResponse): boolean {
  return headers['content-type']?.startsWith('multipart/') === true
}

function onlyPart(response: HttpResponse): HttpResponse {
  const [part, ...others] = decodeChangeSet(response)
  if (part === undefined || others.length > 0) {
    throw strangeBatch(`of one request has ${others.length + (part ? 1 : 0)} results`)
  }
  return withHeadersOf(part, response)
}
