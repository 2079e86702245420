import type { HttpResponse } from '../http/http-response.ts'

const REQUEST_ID = /^[\w-]{1,64}$/

/**
 * The service's id of a request.
 *
 * @param response - any answer, or a part of one
 * @returns `undefined` when there is none, or something that is no id and might be anything
 */
export function requestIdOf({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  const id = headers['x-ms-request-id']
  return id !== undefined && REQUEST_ID.test(id) ? id : undefined
}
