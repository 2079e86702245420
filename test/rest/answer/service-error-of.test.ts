import {
  AuthenticationError,
  createTable,
  deleteTable,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  getEntity,
  insertEntity,
  type OperationTraits,
  ServiceError,
  TableAlreadyExistsError,
  TableNotFoundError,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { serviceErrorOf } from '../../../packages/rest/src/answer/service-error-of.ts'
import { contoso, read, write } from '../people.ts'

const errorOf = (
  operation: OperationTraits,
  status: number,
  code: string,
  request = write,
): ServiceError =>
  serviceErrorOf(
    {
      response: { status, headers: { 'x-ms-request-id': 'request-1' }, body: '' },
      request,
      operation,
      endpoint: contoso,
      now: 0,
    },
    { code, message: 'No.' },
  )

describe('serviceErrorOf', () => {
  it.each([
    [insertEntity, 409, 'EntityAlreadyExists', EntityAlreadyExistsError],
    [createTable, 409, 'TableAlreadyExists', TableAlreadyExistsError],
    [createTable, 409, 'TableBeingDeleted', ServiceError],
    [getEntity, 404, 'ResourceNotFound', EntityNotFoundError],
    [getEntity, 404, 'EntityNotFound', EntityNotFoundError],
    [getEntity, 404, 'TableNotFound', TableNotFoundError],
    [deleteTable, 404, 'ResourceNotFound', TableNotFoundError],
    [updateEntity, 412, 'UpdateConditionNotSatisfied', ETagMismatchError],
    [updateEntity, 412, 'ConditionNotMet', ETagMismatchError],
    [insertEntity, 403, 'AuthenticationFailed', AuthenticationError],
    [insertEntity, 403, 'AuthorizationFailure', AuthenticationError],
    [insertEntity, 401, 'InvalidAuthenticationInfo', AuthenticationError],
    [insertEntity, 400, 'InvalidInput', ServiceError],
    [insertEntity, 404, 'Http404', ServiceError],
  ])('%o, %i %s', (operation, status, code, ErrorClass) => {
    const error = errorOf(operation, status, code)
    expect(error.constructor).toBe(ErrorClass)
    expect(error).toMatchObject({
      name: ErrorClass.name,
      status,
      code,
      requestId: 'request-1',
      operation: operation.name,
    })
  })

  it('R-107: says operation, resource, words, status, code and request id', () => {
    expect(errorOf(insertEntity, 400, 'InvalidInput').message).toBe(
      "insertEntity of people(PartitionKey='Smith',RowKey='Jeff') failed: No. (400 InvalidInput, request id request-1)",
    )
  })

  it('knows a write that may have been applied from a read, which never is', () => {
    expect(errorOf(insertEntity, 500, 'InternalError').mayHaveApplied).toBe(true)
    expect(errorOf(insertEntity, 400, 'InvalidInput').mayHaveApplied).toBe(false)
    expect(errorOf(getEntity, 500, 'InternalError', read).mayHaveApplied).toBe(false)
  })
})
