import { isRowkeyError } from '@rowkey/odata'
import {
  AuthenticationError,
  createTable,
  deleteTable,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  getEntity,
  insertEntity,
  mergeEntity,
  type Operation,
  perform,
  queryTables,
  ServiceError,
  TableAlreadyExistsError,
  TableNotFoundError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const conditional = { ...jeff, etag: '*' }

describe('ServiceError', () => {
  it("R-107: has the service's message and the request's id", async () => {
    const headers = { 'x-ms-request-id': 'request-1' }
    const body = '{"odata.error":{"code":"InvalidInput","message":{"value":"Syntax error."}}}'
    const service = serviceOver(scriptedTransport({ status: 400, headers, body }))
    const error = await perform(service, queryTables, {}).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: 'InvalidInput',
      status: 400,
      requestId: 'request-1',
      operation: 'queryTables',
      mayHaveApplied: false,
      attempts: 1,
      message:
        'queryTables of account contoso failed: Syntax error. (400 InvalidInput, request id request-1)',
    })
  })

  it('has its message once, and hides it from JSON like every Error', () => {
    const facts = { status: 400, code: 'x', requestId: undefined, operation: 'y' }
    const error = new ServiceError({ message: 'No.', ...facts, mayHaveApplied: false })
    expect(Object.keys(error)).not.toContain('message')
    expect(error.message).toBe('No.')
  })

  it.each<[typeof ServiceError, Operation<typeof conditional, unknown>, number, string]>([
    [AuthenticationError, getEntity, 403, 'AuthenticationFailed'],
    [EntityAlreadyExistsError, insertEntity, 409, 'EntityAlreadyExists'],
    [EntityNotFoundError, getEntity, 404, 'ResourceNotFound'],
    [ETagMismatchError, mergeEntity, 412, 'UpdateConditionNotSatisfied'],
    [TableAlreadyExistsError, createTable, 409, 'TableAlreadyExists'],
    [TableNotFoundError, deleteTable, 404, 'ResourceNotFound'],
  ])('has the subclass %o with the status and the code of the service', async (...row) => {
    const [ErrorClass, operation, status, code] = row
    const body = `{"odata.error":{"code":"${code}","message":{"value":"No."}}}`
    const service = serviceOver(scriptedTransport({ status, body }))
    const error = await perform(service, operation, conditional).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ErrorClass)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({ name: ErrorClass.name, status, code })
  })
})
