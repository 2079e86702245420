import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { describe, expect, it, vi } from 'vitest'

/** Loads another copy of the package, as a program has one with ESM and one with CommonJS. */
async function otherCopy(): Promise<typeof import('@rowkey/odata')> {
  vi.resetModules()
  return import('@rowkey/odata')
}

describe('two copies of the package', () => {
  it("recognize each other's entities and properties", async () => {
    const other = await otherCopy()
    expect(other.DynamicEntity).not.toBe(DynamicEntity)
    const entity = new other.DynamicEntity('Smith', 'Jeff', { points: 100n })
    expect(entity).toBeInstanceOf(DynamicEntity)
    expect(entity.get('points')).toBeInstanceOf(EntityProperty)
    const copy = new DynamicEntity('Smith', 'Jeff', entity.properties)
    expect(copy.get('points')).toBe(entity.get('points'))
  })

  it('recognize nothing else', () => {
    for (const value of [undefined, null, 'text', {}, { properties: new Map() }, () => 1]) {
      expect(value).not.toBeInstanceOf(DynamicEntity)
      expect(value).not.toBeInstanceOf(EntityProperty)
    }
  })
})

it('a subclass recognizes only its own objects', () => {
  class Person extends DynamicEntity {}
  const person = new Person('Smith', 'Jeff')
  expect(person).toBeInstanceOf(Person)
  expect(person).toBeInstanceOf(DynamicEntity)
  expect(new DynamicEntity('Smith', 'Jeff')).not.toBeInstanceOf(Person)
})
