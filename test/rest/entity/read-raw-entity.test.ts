import { describe, expect, it } from 'vitest'
import {
  readRawEntities,
  readRawEntity,
} from '../../../packages/rest/src/entity/read-raw-entity.ts'

describe('readRawEntity', () => {
  it('keeps a whole Double a Double', () => {
    expect(readRawEntity('getEntity', { headers: {}, body: '{"rate":1E3}' }, false)).toEqual({
      'rate@odata.type': 'Edm.Double',
      rate: 1000,
    })
  })

  it.each([true, false])('says whether a write was done: %s', (mayHaveApplied) => {
    expect(() =>
      readRawEntity('insertEntity', { headers: {}, body: '<html>' }, mayHaveApplied),
    ).toThrow(
      expect.objectContaining({
        code: 'UnexpectedAnswer',
        mayHaveApplied,
        message: expect.stringContaining('insertEntity was answered with 6 characters'),
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
    'is said when it is %j, whatever the body',
    (type) => {
      expect(() => read(type)).toThrow(
        expect.objectContaining({
          code: 'UnexpectedAnswer',
          message: expect.stringContaining(`of the type ${type} `),
        }),
      )
    },
  )
})

describe('readRawEntities', () => {
  it('reads the value, wherever it stands', () => {
    expect(
      readRawEntities('queryEntities', {
        headers: {},
        body: '{"value":[{"a":1}],"odata.metadata":"x"}',
      }),
    ).toEqual([{ a: 1 }])
  })

  it('takes an entity for no page, even with a property called value', () => {
    expect(() => readRawEntities('queryEntities', { headers: {}, body: '{"value":"x"}' })).toThrow(
      /queryEntities/,
    )
  })
})
