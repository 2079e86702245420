import type { RowkeyError } from '@rowkey/odata'
import { DecodeError } from '@rowkey/odata'
import type { Answered } from './answered.ts'
import { readErrorBody } from './read-error-body.ts'
import { serviceErrorOf } from './service-error-of.ts'

/**
 * The error that an answer stands for, when the operation cannot use it.
 *
 * @param answered - the answer and what it answers
 * @returns `undefined` when the answer is below 300 or its code is one that the operation expects
 */
export async function checkAnswer(answered: Answered): Promise<RowkeyError | undefined> {
  const { response, operation } = answered
  if (response.status < 300) return undefined
  if (response.status < 400) return redirectErrorOf(answered)
  const body = await readErrorBody(response)
  return operation.expects?.includes(body.code) ? undefined : serviceErrorOf(answered, body)
}

function redirectErrorOf({ response, request, operation }: Answered): DecodeError {
  return new DecodeError({
    message: `${operation.name} was answered ${response.status} by ${request.origin}, a redirect. Redirects are never followed, because that would send the credential elsewhere. Check the endpoint.`,
    mayHaveApplied: false,
  })
}
