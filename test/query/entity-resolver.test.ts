import { DynamicEntity } from '@rowkey/odata'
import { ResolverError, resolveEntity } from '@rowkey/query'
import { expect, it } from 'vitest'

const entity = Object.assign(new DynamicEntity('Smith', 'Jeff', { points: 5n }), {
  etag: 'W/"1"',
  timestamp: new Date(0),
})

it('R-97: gives a resolver the key, the Timestamp, the typed properties and the ETag', () => {
  const parts = resolveEntity((...all) => all, entity, 'people')
  expect(parts).toEqual(['Smith', 'Jeff', new Date(0), entity.properties, 'W/"1"'])
})

it.each([undefined, null, '', 0])('passes on %s as it is', (result) => {
  expect(resolveEntity(() => result, entity, 'people')).toBe(result)
})

it('R-97: names the row on which a resolver throws, and keeps what it threw', () => {
  const cause = new RangeError('unknown type')
  const act = () =>
    resolveEntity(
      () => {
        throw cause
      },
      entity,
      'people',
    )
  expect(act).toThrow(ResolverError)
  expect(act).toThrow('The resolver threw on the row ["Smith","Jeff"] of people: unknown type')
  expect(act).toThrow(expect.objectContaining({ cause, partitionKey: 'Smith', rowKey: 'Jeff' }))
})
