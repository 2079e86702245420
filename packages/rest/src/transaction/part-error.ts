import type { ServiceError } from '../errors/service-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { Operation } from '../request/operation.ts'
import { authenticationAdvice, type RejectedRequest } from '../response/authentication-advice.ts'
import { readPartErrorBody, rejectsCredential, serviceErrorOf } from '../response/service-error.ts'

/** The prefix of an error message in a batch. */
const INDEX = /^\d{1,3}:/

/**
 * Makes the error of an operation from its rejected part of a batch, as if it had been sent alone.
 *
 * @param operation - the operation that the part answers
 * @param input - its input
 * @param part - the rejected part, with the headers of the whole response
 * @param account - the account
 */
export function partErrorOf<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  part: HttpResponse,
  account: RejectedRequest,
): ServiceError {
  const { endpoint } = account
  const { code, message } = readPartErrorBody(part)
  const body = { code, message: message.replace(INDEX, '') }
  const isRejected = rejectsCredential(part.status)
  const advice = isRejected ? authenticationAdvice(code, part, account) : undefined
  const request = operation.toRequest(input, endpoint)
  return serviceErrorOf(operation, part, body, { request, input, endpoint, advice })
}

/**
 * Adds to a part the headers that only the whole response has: the id of the request and the date.
 *
 * @param part - a part of the response to a batch
 * @param response - the whole response
 */
export function withHeadersOf(part: HttpResponse, { headers }: HttpResponse): HttpResponse {
  const { 'x-ms-request-id': id, date } = headers
  const whole = { ...(id && { 'x-ms-request-id': id }), ...(date && { date }) }
  return { ...part, headers: { ...whole, ...part.headers } }
}
