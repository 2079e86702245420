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
  type HttpResponse,
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
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestIdOf } from '../../../packages/rest/src/response/response-headers.ts'
import {
  mayHaveAppliedAfter,
  readErrorBody,
  readPartErrorBody,
  serviceErrorOf,
} from '../../../packages/rest/src/response/service-error.ts'
import { errorResponses } from '../../vectors/error-responses.ts'
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

const response: HttpResponse = { status: 503, headers: {}, body: '' }
const headers = { 'x-ms-error-code': 'ServerBusy' }

const bodyOf = (given: HttpResponse, found: object | undefined) =>
  readPartErrorBody({ ...given, body: JSON.stringify({ 'odata.error': found }) })

describe('an error response', () => {
  it('takes its code from the body, then the header, then the status', () => {
    const found = { code: 'A', message: '' }
    expect(bodyOf({ ...response, headers }, found).code).toBe('A')
    expect(bodyOf({ ...response, headers }, undefined).code).toBe('ServerBusy')
    expect(bodyOf(response, undefined).code).toBe('Http503')
  })

  it('loses the request id and the time in its message', () => {
    const message = 'No.\nRequestId:7944c5e8\nTime:2021-01-06T01:01:30.9536883Z'
    expect(bodyOf(response, { code: 'A', message }).message).toBe('No.')
  })

  it('does not show a signature that the service repeats', () => {
    const signature = 'RFdy7SPWcx+MACQMlCUgvdZC8R+k0dsPzmOyr/Nox5U='
    const message = `The MAC signature found in the HTTP request '${signature}' is not the same.`
    const body = bodyOf(response, { code: `x?sig=abc`, message })
    expect(JSON.stringify(body)).not.toMatch(/RFdy|abc/)
  })

  it.each([7, null, {}, [], undefined])('ignores a code and a message of %j', (garbage) => {
    expect(bodyOf(response, { code: garbage, message: garbage })).toEqual({
      code: 'Http503',
      message: 'The service gave no reason.',
    })
  })
})

describe('readErrorBody', () => {
  it.each(errorResponses)('reads $title', async ({ response, code, message }) => {
    expect(await readErrorBody(response)).toMatchObject({ code, message })
  })
})

describe('readPartErrorBody', () => {
  it('reads JSON, and ignores XML', () => {
    const body = '{"odata.error":{"code":"a","message":{"value":"b"}}}'
    expect(readPartErrorBody({ status: 400, headers: {}, body })).toEqual({
      code: 'a',
      message: 'b',
    })
    expect(readPartErrorBody({ status: 400, headers: {}, body: '<Error/>' }).code).toBe('Http400')
  })
})

const readJson = (body: string) => readPartErrorBody({ status: 400, headers: {}, body })

describe('an error in JSON', () => {
  it('has a code and a message', () => {
    const body = '{"odata.error":{"code":"a","message":{"lang":"en-US","value":"b"}}}'
    expect(readJson(body)).toEqual({ code: 'a', message: 'b' })
  })

  it.each(['{"error":{"code":"a","message":"b"}}', '{"code":"a","message":"b"}'])(
    'may be that of a gateway: %s',
    (body) => {
      expect(readJson(body)).toEqual({ code: 'a', message: 'b' })
    },
  )

  it('ignores members of the prototype', () => {
    expect(readJson('{"odata.error":{"__proto__":{"code":"a"}}}').code).toBe('Http400')
  })

  it('never throws, whatever the body', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect(() => readJson(body)).not.toThrow()
      }),
    )
  })
})

const none = { code: 'Http400', message: 'The service gave no reason.' }
const readXmlError = (body: string) => readErrorBody({ status: 400, headers: {}, body })

describe('an error in XML', () => {
  it.each([
    [
      '<m:error xmlns:m="x"><m:code>A</m:code><m:message xml:lang="en">b &lt;c&gt;</m:message></m:error>',
      'b <c>',
    ],
    ['<?xml version="1.0"?><Error><Code>A</Code><Message>b</Message></Error>', 'b'],
    ['<error><code>A</code><message>007</message></error>', '007'],
    ['\uFEFF<Error><Code>A</Code><Message>b</Message></Error>', 'b'],
  ])('reads %s', async (body, message) => {
    expect(await readXmlError(body)).toEqual({ code: 'A', message })
  })

  it('ignores a document type, whose entities could grow without bound', async () => {
    const body =
      '<!DOCTYPE e [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Error><Code>&b;</Code></Error>'
    expect(await readXmlError(body)).toEqual(none)
  })

  it('ignores a document that is too long for an error', async () => {
    const body = `<Error><Code>A</Code><Message>${'x'.repeat(70_000)}</Message></Error>`
    expect(await readXmlError(body)).toEqual(none)
  })

  it('does not touch prototypes', async () => {
    await readXmlError('<Error><__proto__><polluted>1</polluted></__proto__><Code>A</Code></Error>')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('never throws, whatever the body', async () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'Error',
      'Code',
      '&#99999999;',
      '&lt;',
      ' ',
      '"',
      ']]>',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, fc.string())), async (pieces) => {
        const body = `<${pieces.join('')}`
        expect(await readXmlError(body)).toMatchObject({ code: expect.any(String) })
      }),
    )
  })
})
