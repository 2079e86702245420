import { AuthenticationError } from '../errors/authentication-error.ts'
import { EntityAlreadyExistsError } from '../errors/entity-already-exists-error.ts'
import { EntityNotFoundError } from '../errors/entity-not-found-error.ts'
import { ETagMismatchError } from '../errors/etag-mismatch-error.ts'
import { ServiceError, type ServiceErrorOptions } from '../errors/service-error.ts'
import { TableAlreadyExistsError } from '../errors/table-already-exists-error.ts'
import { TableNotFoundError } from '../errors/table-not-found-error.ts'
import { isRead } from '../http/http-request.ts'
import type { OperationTraits } from '../operation.ts'
import type { Answered } from './answered.ts'
import { authenticationAdvice } from './authentication-advice.ts'
import type { ErrorBody } from './error-body.ts'
import { mayHaveAppliedAfter } from './may-have-applied.ts'
import { requestIdOf } from './request-id-of.ts'
import { resourceOf } from './resource-of.ts'

type ServiceErrorClass = new (options: ServiceErrorOptions) => ServiceError

/**
 * The error that an answer of 400 or above stands for.
 *
 * @param answered - the answer and what it answers
 * @param body - what the answer says
 */
export function serviceErrorOf(answered: Answered, body: ErrorBody): ServiceError {
  const { response, request, operation } = answered
  const ErrorClass = errorClassOf(response.status, body.code, operation)
  const advice = ErrorClass === AuthenticationError ? authenticationAdvice(answered) : ''
  const requestId = requestIdOf(response)
  const facts = `${response.status} ${body.code}${requestId ? `, request id ${requestId}` : ''}`
  return new ErrorClass({
    message: `${operation.name} of ${resourceOf(answered)} failed: ${body.message} (${facts})${advice}`,
    status: response.status,
    code: body.code,
    requestId,
    operation: operation.name,
    mayHaveApplied: !isRead(request) && mayHaveAppliedAfter(response.status, body.code),
  })
}

function errorClassOf(status: number, code: string, operation: OperationTraits): ServiceErrorClass {
  if (status === 401 || status === 403) return AuthenticationError
  if (status === 412) return ETagMismatchError
  switch (code) {
    case 'EntityAlreadyExists':
      return EntityAlreadyExistsError
    case 'TableAlreadyExists':
      return TableAlreadyExistsError
    case 'TableNotFound':
      return TableNotFoundError
    case 'EntityNotFound':
    case 'ResourceNotFound':
      return operation.addresses === 'table' ? TableNotFoundError : EntityNotFoundError
    default:
      return ServiceError
  }
}
