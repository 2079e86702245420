import { DecodeError, isRowkeyError } from '@rowkey/odata'
import { getEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  checkKeys,
  readRawEntities,
  readRawEntity,
  toReadResult,
} from '../../../packages/rest/src/response/read-entity.ts'
import { etag, jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('readRawEntity', () => {
  it('keeps a whole Double a Double', () => {
    expect(readRawEntity('getEntity', { headers: {}, body: '{"rate":1E3}' }, false)).toEqual({
      'rate@odata.type': 'Edm.Double',
      rate: 1000,
    })
  })

  it.each([true, false])('says whether a write may have been applied: %s', (mayHaveApplied) => {
    expect(() =>
      readRawEntity('insertEntity', { headers: {}, body: '<html>' }, mayHaveApplied),
    ).toThrow(
      expect.objectContaining({
        code: 'UnexpectedResponse',
        mayHaveApplied,
        message: expect.stringContaining('insertEntity: the response contains 6 characters'),
      }),
    )
  })
})

describe('the Content-Type', () => {
  const read = (type: string) =>
    readRawEntity('getEntity', { headers: { 'content-type': type }, body: '{}' }, false)

  it.each([
    '',
    'application/json',
    'application/json;odata=minimalmetadata;streaming=true;charset=utf-8',
    'Application/JSON ; charset=utf-8',
    'application/problem+json',
  ])('may be %j', (type) => {
    expect(read(type)).toEqual({})
  })

  it.each(['text/html', 'application/xml', 'text/plain;a/json', 'application/jsonx', 'json'])(
    'is rejected when it is %j, whatever the body',
    (type) => {
      expect(() => read(type)).toThrow(
        expect.objectContaining({
          code: 'UnexpectedResponse',
          message: expect.stringContaining(`of the type ${type} `),
        }),
      )
    },
  )
})

describe('readRawEntities', () => {
  it('reads the value at any position', () => {
    expect(
      readRawEntities('queryEntities', {
        headers: {},
        body: '{"value":[{"a":1}],"odata.metadata":"x"}',
      }),
    ).toEqual([{ a: 1 }])
  })

  it('rejects an entity as a page, even with a property called value', () => {
    expect(() => readRawEntities('queryEntities', { headers: {}, body: '{"value":"x"}' })).toThrow(
      /queryEntities/,
    )
  })
})

const { key } = jeff
const entity = { PartitionKey: 'Smith', RowKey: 'Jeff' }
const mayHaveApplied = false

describe('checkKeys', () => {
  it('accepts the requested entity, and any entity without a key', () => {
    expect(() => checkKeys('getEntity', entity, { key, mayHaveApplied })).not.toThrow()
    expect(() => checkKeys('queryEntities', entity, { mayHaveApplied })).not.toThrow()
  })

  it.each([
    [
      { ...entity, PartitionKey: 'zz' },
      'another entity: its PartitionKey is "zz" instead of "Smith"',
    ],
    [{ ...entity, RowKey: 'jeff' }, 'another entity: its RowKey is "jeff" instead of "Jeff"'],
    [{ status: 'ok' }, 'not an entity: its PartitionKey is missing'],
    [{ 'odata.error': { code: 'ResourceNotFound' } }, 'not an entity: its PartitionKey is missing'],
    [{ PartitionKey: 'Smith' }, 'not an entity: its RowKey is missing'],
    [{ ...entity, RowKey: 7 }, 'not an entity: its RowKey is a value of type number, not a string'],
    [{ ...entity, RowKey: null }, 'not an entity: its RowKey is null'],
  ])('names what it found: %j', (raw, found) => {
    expect(() => checkKeys('getEntity', raw, { key, mayHaveApplied })).toThrow(
      expect.objectContaining({
        code: 'UnexpectedResponse',
        mayHaveApplied: false,
        message: expect.stringContaining(found),
      }),
    )
  })

  it('accepts a projection without keys, but only keys that are strings', () => {
    const expected = { select: ['age'], mayHaveApplied }
    expect(() => checkKeys('queryEntities', { age: 7 }, expected)).not.toThrow()
    expect(() => checkKeys('queryEntities', { RowKey: 7 }, expected)).toThrow('of type number')
    expect(() => checkKeys('queryEntities', {}, { select: [], mayHaveApplied })).toThrow('missing')
  })

  it('says that a write may have been applied', () => {
    expect(() => checkKeys('insertEntity', {}, { key, mayHaveApplied: true })).toThrow(
      expect.objectContaining({
        mayHaveApplied: true,
        message: expect.stringContaining('may have been applied'),
      }),
    )
  })

  it('shows no signature, and shortens a long key', () => {
    const PartitionKey = `sig=${'A'.repeat(43)}%3D${' x'.repeat(9000)}`
    const check = () => checkKeys('getEntity', { ...entity, PartitionKey }, { key, mayHaveApplied })
    expect(check).toThrow(/"sig=<redacted> x/)
    expect(check).not.toThrow(/A{43}/)
    expect(check).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/.{500}/) }))
  })
})

describe('toReadResult', () => {
  it('names the operation whose response cannot be read', () => {
    const response = { status: 200, headers: { etag }, body: 'x' }
    expect(() => toReadResult('findEntity', response, jeff)).toThrow(
      /^findEntity: the response contains/,
    )
  })

  it('accepts a projection without keys, but not the keys of another entity', () => {
    const read = { ...jeff, select: ['age'] }
    const response = (body: string) => ({ status: 200, headers: { etag }, body })
    expect(toReadResult('getEntity', response('{"age":7}'), read).raw).toEqual({ age: 7 })
    const other = response('{"PartitionKey":"Smith","RowKey":"Ann","age":7}')
    expect(() => toReadResult('getEntity', other, read)).toThrow('RowKey is "Ann"')
  })
})

describe('DecodeError', () => {
  it('keeps the parser’s error, and does not show the body', async () => {
    const service = serviceOver(scriptedTransport({ body: '<html>c2VjcmV0</html>' }))
    const error = await perform(service, getEntity, jeff).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DecodeError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'DecodeError',
      code: 'UnexpectedResponse',
      cause: expect.any(SyntaxError),
      mayHaveApplied: false,
    })
    expect((error as Error).message).not.toContain('c2VjcmV0')
  })
})
