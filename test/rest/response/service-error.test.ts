import {
  AuthenticationError,
  createTable,
  deleteEntity,
  deleteTable,
  type Endpoint,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  getEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  type OperationTraits,
  queryEntities,
  ServiceError,
  TableAlreadyExistsError,
  TableNotFoundError,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { requestIdOf } from '../../../packages/rest/src/response/response-headers.ts'
import {
  mayHaveAppliedAfter,
  serviceErrorOf,
} from '../../../packages/rest/src/response/service-error.ts'
import { contoso, cosmos, jeff, read, write } from '../people.ts'

const errorOf = (
  operation: OperationTraits,
  status: number,
  code: string,
  request = write,
  input: object = jeff,
): ServiceError =>
  serviceErrorOf(
    operation,
    { status, headers: { 'x-ms-request-id': 'request-1' }, body: '' },
    { code, message: 'No.' },
    { request, input, endpoint: contoso },
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
    [insertEntity, 404, 'ResourceNotFound', TableNotFoundError],
    [insertOrMergeEntity, 404, 'ResourceNotFound', TableNotFoundError],
    [insertOrReplaceEntity, 404, 'ResourceNotFound', TableNotFoundError],
    [queryEntities, 404, 'ResourceNotFound', TableNotFoundError],
    [updateEntity, 404, 'ResourceNotFound', EntityNotFoundError],
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

  it('R-107: names operation, resource, message, status, code and request id', () => {
    expect(errorOf(insertEntity, 400, 'InvalidInput').message).toBe(
      "insertEntity of people(PartitionKey='Smith',RowKey='Jeff') failed: No. (400 InvalidInput, request id request-1)",
    )
  })

  it('tells a write that may have been applied from a read, which never is', () => {
    expect(errorOf(insertEntity, 500, 'InternalError').mayHaveApplied).toBe(true)
    expect(errorOf(insertEntity, 400, 'InvalidInput').mayHaveApplied).toBe(false)
    expect(errorOf(getEntity, 500, 'InternalError', read).mayHaveApplied).toBe(false)
  })
})

describe('the fix in a message', () => {
  it('names the key of an entity that exists, and the ways to write it', () => {
    const neil = { ...jeff, key: { partitionKey: "O'Neil", rowKey: '' } }
    const request = insertEntity.toRequest(neil, contoso)
    expect(errorOf(insertEntity, 409, 'EntityAlreadyExists', request, neil).message).toBe(
      "insertEntity of people(PartitionKey='O''Neil',RowKey='') failed: No. (409 EntityAlreadyExists, request id request-1). To write it whether it exists or not, use insertOrMerge or insertOrReplace.",
    )
  })

  it.each([updateEntity, deleteEntity])(
    'names reload and modify after a changed ETag',
    (operation) => {
      expect(errorOf(operation, 412, 'UpdateConditionNotSatisfied').message).toMatch(
        /: reload it and repeat the change, or use modify, which does both\.$/,
      )
    },
  )

  it.each([getEntity, insertEntity, queryEntities])(
    'names create() and the account when the table is missing',
    (operation) => {
      expect(errorOf(operation, 404, 'TableNotFound').message).toMatch(
        /\. Create the table with create\(\), or check its name and the account 'contoso'\.$/,
      )
    },
  )

  it('does not name create() when a table to delete is missing', () => {
    expect(errorOf(deleteTable, 404, 'ResourceNotFound').message).toMatch(
      /\. Check its name and the account 'contoso'\.$/,
    )
  })
})

it('ends the message of an error with the advice', () => {
  const error = serviceErrorOf(
    getEntity,
    { status: 403, headers: {}, body: '' },
    { code: 'AuthenticationFailed', message: 'No.' },
    { request: read, input: jeff, endpoint: contoso, advice: '. Check the key.' },
  )
  expect(error).toBeInstanceOf(AuthenticationError)
  expect(error.message).toMatch(/\(403 AuthenticationFailed\)\. Check the key\.$/)
})

describe('mayHaveAppliedAfter', () => {
  it.each([408, 500, 502, 504, 507, 520, 524])('is true for %i, whatever the code', (status) => {
    expect(mayHaveAppliedAfter(status, 'OperationTimedOut')).toBe(true)
  })

  it.each([400, 403, 404, 409, 412, 413, 429, 501, 505])('is false for %i', (status) => {
    expect(mayHaveAppliedAfter(status, 'InvalidInput')).toBe(false)
  })

  it("is false for a 503 only with the service's own code", () => {
    expect(mayHaveAppliedAfter(503, 'ServerBusy')).toBe(false)
    expect(mayHaveAppliedAfter(503, 'Http503')).toBe(true)
  })
})

const idIn = (id: string) => requestIdOf({ headers: { 'x-ms-request-id': id } })

describe('requestIdOf', () => {
  it.each(['7944c5e8-0002-0079-7bcd-59ca30000000', 'request_1'])('reads %s', (id) => {
    expect(idIn(id)).toBe(id)
  })

  it.each(['', 'sig=c2VjcmV0', 'two words', 'a'.repeat(65)])('ignores "%s"', (id) => {
    expect(idIn(id)).toBeUndefined()
  })

  it('accepts a response without an id', () => {
    expect(requestIdOf({ headers: {} })).toBeUndefined()
  })
})

describe('a missing entity on Cosmos DB', () => {
  const messageAt = (endpoint: Endpoint, operation: OperationTraits) =>
    serviceErrorOf(
      operation,
      { status: 404, headers: {}, body: '' },
      { code: 'ResourceNotFound', message: 'No.' },
      { request: read, input: jeff, endpoint },
    ).message

  it('R-177: may be a missing table, as the message says', () => {
    const hint = 'Cosmos DB says the same when the table does not exist.'
    expect(messageAt(cosmos, getEntity)).toContain(hint)
    expect(messageAt(cosmos, insertEntity)).not.toContain(hint)
    expect(messageAt(contoso, getEntity)).not.toContain(hint)
  })
})
