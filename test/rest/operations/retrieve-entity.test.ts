import { retrieveEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, jeff } from '../people.ts'

describe('retrieveEntity', () => {
  it('R-54: returns the entity, or nothing when it is missing', () => {
    const found = { status: 200, headers: { etag: 'e' }, body: jeff.body }
    expect(retrieveEntity.fromResponse(found, jeff)).toEqual({
      raw: { PartitionKey: 'Smith', RowKey: 'Jeff' },
      etag: 'e',
      status: 200,
    })
    expect(retrieveEntity.fromResponse({ status: 404, headers: {}, body: '' }, jeff)).toEqual({
      status: 404,
    })
  })

  it('sends no body', () => {
    expect(retrieveEntity.toRequest(jeff, contoso)).toMatchObject({
      method: 'GET',
      body: undefined,
    })
  })
})
