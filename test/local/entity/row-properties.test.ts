import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowProperties } from '../../../packages/local/src/entity/row-properties.ts'
import type { StoredProperty } from '../../../packages/local/src/entity/stored-entity.ts'

const property = fc.oneof(
  fc.integer().map((value): StoredProperty => ({ type: 'Int32', value })),
  fc.string().map((value): StoredProperty => ({ type: 'String', value })),
  fc.boolean().map((value): StoredProperty => ({ type: 'Boolean', value })),
)
const maps = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'toString', 'Int32a'), property))
  .map((entries) => new Map<string, StoredProperty>(entries))

describe('RowProperties', () => {
  it('has the properties of the Map that it was made from, in the same order', () => {
    fc.assert(
      fc.property(maps, (map) => {
        const row = new RowProperties(map)
        expect([...row]).toEqual([...map])
        expect([...row.keys()]).toEqual([...map.keys()])
        expect([...row.values()]).toEqual([...map.values()])
        expect(row.size).toBe(map.size)
        for (const name of ['a', 'b', '__proto__', 'toString', 'constructor']) {
          expect(row.has(name)).toBe(map.has(name))
          expect(row.get(name)).toEqual(map.get(name))
        }
      }),
    )
  })

  it('keeps the properties of rows with more shapes than are found again', () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => {
      const name = `p${index % 1_500}`
      return [name, new RowProperties([[name, { type: 'Int32', value: index }]])] as const
    })
    rows.forEach(([name, row], index) => {
      expect([...row]).toEqual([[name, { type: 'Int32', value: index }]])
    })
  })
})
