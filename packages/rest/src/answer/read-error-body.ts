import type { HttpResponse } from '../http/http-response.ts'
import { type ErrorBody, toErrorBody } from './error-body.ts'
import { readJsonError } from './read-json-error.ts'

/**
 * What an error answer says, in any of the forms that services and the machines before them use:
 * JSON, XML, or nothing but a header.
 *
 * @param response - an answer of 400 or above
 */
export async function readErrorBody(response: HttpResponse): Promise<ErrorBody> {
  if (!response.body.startsWith('<')) return readPartErrorBody(response)
  // Only failed sign-ins answer in XML, so most programs never load the parser.
  const { readXmlError } = await import('./read-xml-error.ts')
  return toErrorBody(response, readXmlError(response.body))
}

/**
 * What one part of a batch says; it is never XML.
 *
 * @param response - a part of 400 or above
 */
export function readPartErrorBody(response: HttpResponse): ErrorBody {
  return toErrorBody(response, readJsonError(response.body))
}
