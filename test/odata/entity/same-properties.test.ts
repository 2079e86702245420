import { DynamicEntity, EntityProperty, hasSameProperties, holdsProperties } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const propertiesOf = (values: ConstructorParameters<typeof DynamicEntity>[2]) =>
  new DynamicEntity('p', 'r', values).properties

describe('hasSameProperties and holdsProperties', () => {
  const whole = propertiesOf({ name: 'Jeff', points: 1n })

  it('are true for the same names, types and values in any order', () => {
    const other = propertiesOf({ points: 1n, name: 'Jeff' })
    expect(hasSameProperties(whole, other)).toBe(true)
    expect(holdsProperties(whole, other)).toBe(true)
  })

  it.each([
    ['another value', { name: 'Jeff', points: 2n }],
    ['another type', { name: 'Jeff', points: EntityProperty.int32(1) }],
    ['another name', { name: 'Jeff', point: 1n }],
    ['one more property', { name: 'Jeff', points: 1n, age: 3 }],
  ])('are false for %s', (_, values) => {
    expect(hasSameProperties(whole, propertiesOf(values))).toBe(false)
    expect(holdsProperties(whole, propertiesOf(values))).toBe(false)
  })

  it('tell a part from the whole', () => {
    expect(hasSameProperties(whole, propertiesOf({ name: 'Jeff' }))).toBe(false)
    expect(holdsProperties(whole, propertiesOf({ name: 'Jeff' }))).toBe(true)
  })
})
